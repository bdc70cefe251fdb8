/** The next answer of a forked process; rejects with the error it reports, or when it ends. */
export function answerOf(child) {
  return new Promise((resolve, reject) => {
    const settle = (act) => {
      child.off("message", onMessage);
      child.off("exit", onExit);
      act();
    };
    const onMessage = ({ answer, error }) =>
      settle(() => (error === undefined ? resolve(answer) : reject(new Error(error))));
    const onExit = (code, signal) =>
      settle(() => reject(new Error(`the process ended with ${signal ?? `exit code ${code}`}`)));
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
