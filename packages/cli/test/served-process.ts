import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { CliFixture } from "./cli-fixture.js";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface ServedProcess {
  /** With the prefix of all paths. */
  readonly address: string;
  readonly token: string;
  readonly pid: number;
  /** Sends JSON, or asks with GET. */
  ask(path: string, json?: unknown): Promise<Response>;
  /** What it wrote to both outputs so far. */
  shown(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** `skillwright serve` at a free port, as a process of its own, when it has printed its token. */
export async function servedProcess(
  { project, home }: Pick<CliFixture, "project" | "home">,
  { argv = [], env = {} }: { readonly argv?: readonly string[]; readonly env?: Record<string, string> } = {},
): Promise<ServedProcess> {
  const child = spawn(process.execPath, [program, "serve", "--port", "0", ...argv], {
    cwd: project,
    env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], HOME: home, NO_COLOR: "1", ...env },
  });
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let shown = "";
  child.stderr.on("data", (piece) => {
    shown += piece;
  });
  const [, address = "", token = ""] = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.stdout.on("data", (piece) => {
      shown += piece;
      const found = /^address +(\S+)$[\s\S]*^token +(\S+)$/m.exec(shown);
      if (found) resolve(found);
    });
    child.once("close", () => reject(new Error(`The server ended: ${shown}`)));
  });
  return {
    ...{ address, token, ended, pid: child.pid ?? 0 },
    ask: (path, json) =>
      fetch(`${address}${path}`, {
        method: json === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    shown: () => shown,
    kill: (signal) => void child.kill(signal),
  };
}
