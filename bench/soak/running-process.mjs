import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { machineTime } from "./ledger.mjs";

const program = fileURLToPath(new URL("soak-process.mjs", import.meta.url));

/** Starts a process of the soak; `latest` is its last message, `kill` ends it immediately, `stop` lets it finish. */
export function startProcess(options) {
  const child = fork(program, [], {
    execArgv: ["--no-warnings"],
    env: { ...childEnvironment(), SOAK: JSON.stringify(options) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const self = {
    pid: child.pid,
    name: options.name,
    latest: /** @type {Record<string, any>} */ ({}),
    ended: /** @type {string | number | null | undefined} */ (undefined),
    stop,
    kill,
  };
  child.on("message", (message) => Object.assign(self.latest, message));
  const exited = new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      self.ended = signal ?? code;
      resolve(self.ended);
    });
  });

  async function kill() {
    child.kill("SIGKILL");
    await exited;
    return { name: options.name, at: machineTime() };
  }

  /** How it ended; "hung" if it did not within the time. */
  async function stop(withinMs) {
    if (self.ended === undefined) child.send("stop");
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, withinMs, "hung");
    });
    const how = await Promise.race([exited, late]);
    clearTimeout(timer);
    if (how === "hung") child.kill("SIGKILL");
    return how;
  }

  return self;
}
