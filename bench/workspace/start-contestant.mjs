import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { answerOf } from "../answer-of.mjs";

const program = fileURLToPath(new URL("contestant-process.mjs", import.meta.url));

/** Starts a contestant in its own process. `facts` is what it reports about itself; `ask` sends one question at a time. */
export async function startContestant(module, node) {
  const child = fork(program, [module], {
    execPath: node,
    execArgv: ["--no-warnings"],
    env: { ...childEnvironment(), MASTRA_TELEMETRY_DISABLED: "1", NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const facts = await answerOf(child);
  const ask = async (question) => {
    const answer = answerOf(child);
    child.send(question);
    return await answer;
  };
  const close = async () => {
    await ask("dispose").catch(() => undefined);
    child.kill("SIGKILL");
  };
  return { module, facts, ask, close };
}
