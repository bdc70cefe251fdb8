import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { answerOf } from "../answer-of.mjs";

const program = fileURLToPath(new URL("contestant.mjs", import.meta.url));

/**
 * Starts a contestant in its own process. `facts` is what it reports about itself, with `error` if its package could
 * not be imported; `ask` sends one question at a time; `close` ends the process.
 */
export async function startContestant({ module, corpus, node }) {
  const child = fork(program, [module, corpus], {
    execPath: node,
    execArgv: ["--no-warnings"],
    env: { ...childEnvironment(), MASTRA_TELEMETRY_DISABLED: "1", NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const facts = await answerOf(child);
  return {
    module,
    facts,
    async ask(question) {
      const answer = answerOf(child);
      child.send(question);
      return await answer;
    },
    close() {
      child.kill("SIGKILL");
    },
  };
}
