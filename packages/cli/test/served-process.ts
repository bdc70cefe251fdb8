import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { servingProcess } from "../../../scripts/servers/serving-process.mjs";
import type { CliFixture } from "./cli-fixture.js";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface ServedProcess {
  /** With the prefix of all paths. */
  readonly address: string;
  readonly token: string;
  readonly pid: number;
  /** Sends JSON, or asks with GET. */
  ask(path: string, json?: unknown): Promise<Response>;
  /** Sends the text with PUT. */
  upload(path: string, text: string): Promise<Response>;
  /** Sends DELETE. */
  remove(path: string): Promise<Response>;
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
  const { TMPDIR } = process.env;
  return await startedServer([program, "serve", "--port", "0", ...argv], {
    cwd: project,
    env: { TMPDIR, HOME: home, ...env },
  });
}

/** Starts a Node program that serves, and waits until it has printed its address and token. It is killed at the end of the test. */
export async function startedServer(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<ServedProcess> {
  const { pid, serving, ended, shown, kill } = servingProcess(argv, { cwd, env });
  onTestFinished(async () => {
    kill("SIGKILL");
    await ended;
  });
  const { address, token } = await serving;
  return {
    ...{ address, token, pid, ended, shown, kill },
    ask: (path, json) =>
      fetch(`${address}${path}`, {
        method: json === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    upload: (path, body) =>
      fetch(`${address}${path}`, { method: "PUT", body, headers: { authorization: `Bearer ${token}` } }),
    remove: (path) =>
      fetch(`${address}${path}`, { method: "DELETE", headers: { authorization: `Bearer ${token}` } }),
  };
}
