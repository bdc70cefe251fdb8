import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Credentials } from "./credentials.js";

/**
 * The whole environment of every program that this package starts, launchers included. The environment of commands is
 * built separately.
 */
export const TOOL_ENVIRONMENT = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };

export interface ToolResult {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Error code of the spawn itself, such as `ENOENT` or `EAGAIN`. */
  readonly code: string | undefined;
  readonly timedOut: boolean;
}

export interface ToolOptions {
  readonly credentials?: Credentials | undefined;
  /** Passed to the tool as descriptors from 3 on, for example a long list of options. */
  readonly inputs?: readonly Uint8Array[];
  readonly timeoutMs?: number;
  /** The whole environment of the tool. Defaults to `TOOL_ENVIRONMENT`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What is kept of each stream. */
const MOST_CHARACTERS = 1024 * 1024;

/**
 * Runs a short-lived system program by absolute path; never rejects. Not for commands of users or skills. Uses Node's
 * own `spawn`: loading a library for it would take longer than a first run.
 */
export async function runTool(
  file: string,
  args: readonly string[],
  { credentials, inputs = [], timeoutMs = 30_000, env = TOOL_ENVIRONMENT }: ToolOptions = {},
): Promise<ToolResult> {
  const kept = { stdout: "", stderr: "" };
  let timedOut = false;
  let timer: NodeJS.Timeout | undefined;
  try {
    const child = spawn(file, args, {
      cwd: "/",
      env,
      stdio: ["ignore", "pipe", "pipe", ...inputs.map(() => "pipe" as const)],
      ...credentials,
    });
    const exitCode = exitCodeOf(child);
    // Without a free descriptor there are no streams.
    const streams = child.stdio ?? [];
    for (const [descriptor, name] of [
      [1, "stdout"],
      [2, "stderr"],
    ] as const)
      (streams[descriptor] as Readable | undefined)?.setEncoding("utf8").on("data", (piece: string) => {
        kept[name] = (kept[name] + piece).slice(0, MOST_CHARACTERS);
      });
    for (const [index, bytes] of inputs.entries()) give(streams[3 + index] as Writable | undefined, bytes);
    timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
      // Something that the tool started may keep them open.
      for (const stream of streams) stream?.destroy();
    }, timeoutMs);
    return { exitCode: await exitCode, ...kept, code: undefined, timedOut };
  } catch (error) {
    return { exitCode: undefined, ...kept, code: (error as NodeJS.ErrnoException).code, timedOut };
  } finally {
    clearTimeout(timer);
  }
}

/** `undefined` where a signal ended it. */
async function exitCodeOf(child: ChildProcess): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? undefined));
  });
}

function give(stream: Writable | undefined, bytes: Uint8Array): void {
  // A tool that fails before it has read everything tells the reason on its standard error.
  stream?.on("error", () => undefined);
  stream?.end(bytes);
}
