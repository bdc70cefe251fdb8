/** A port on which nothing listens: a pod that is reached refuses the connection, which is an answer. */
const PORT = 9;
const WAIT_SECONDS = 2;

/** Prints whether the address answers; with builtins of bash only. */
export function reaching(address: string): string {
  return `
[ -n "$BASH_VERSION" ] || { echo "no bash"; exit 0; }
IFS= read -r -t ${WAIT_SECONDS} answer < <( (exec 3<>/dev/tcp/${address}/${PORT}) 2>&1 && echo opened)
echo "answer $answer"
true
`;
}

/** Whether the output of that command says that the pod was reached; `undefined` where bash could not try. */
export function wasReached(text: string): boolean | undefined {
  if (text.startsWith("no bash")) return undefined;
  return /opened|refused/i.test(text);
}
