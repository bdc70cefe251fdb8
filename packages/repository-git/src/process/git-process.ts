import { setTimeout as delay } from "node:timers/promises";
import { checkAborted } from "@skillwright/core/adapter";

export interface GitProcessOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly signal: AbortSignal | undefined;
  /** The whole standard input of the process. */
  readonly input?: string | undefined;
  /** Timeout after which the whole process group is ended. */
  readonly timeoutMs?: number | undefined;
}

/** The failure of a process. `code` is an error of the start itself, such as `ENOENT`. */
export class GitFailed extends Error {
  readonly exitCode: number | undefined;
  readonly code: string | undefined;
  readonly errorText: string;
  readonly timedOut: boolean;

  constructor(end: Pick<GitFailed, "exitCode" | "code" | "errorText" | "timedOut">) {
    super("git failed");
    ({ exitCode: this.exitCode, code: this.code, errorText: this.errorText, timedOut: this.timedOut } = end);
  }
}

const ERROR_TEXT_BYTES = 16 * 1024;
const LAST_WORDS_MS = 1000;

/**
 * Yields the program's output as it arrives. The process has its own process group and no terminal, so it cannot
 * prompt. Stopping early, an abort or a timeout ends git together with its helpers.
 * @throws GitFailed; SkillError `ABORTED`.
 */
export async function* gitOutput(
  program: string,
  args: readonly string[],
  { environment, directory, signal, input, timeoutMs }: GitProcessOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  checkAborted(signal);
  // Loaded on demand, because loading execa takes longer than most runs.
  const { execa } = await import("execa");
  checkAborted(signal);
  const child = execa(program, args, {
    cwd: directory,
    env: environment,
    extendEnv: false,
    detached: process.platform !== "win32",
    cleanup: false,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
    stdout: "pipe",
    stderr: "pipe",
    encoding: "buffer",
    buffer: false,
    reject: false,
  });
  const running = child.nodeChildProcess;
  const exited = new Promise<void>((resolve) => running.once("exit", () => resolve()));
  const errorText = lastText(child.stderr);
  let timedOut = false;
  const stop = (): void => {
    endGroup(running);
    child.stdout.destroy();
  };
  const runOut = (): void => {
    timedOut = true;
    stop();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(runOut, timeoutMs);
  signal?.addEventListener("abort", stop, { once: true });
  let failure: unknown;
  try {
    try {
      for await (const piece of child.stdout) yield piece as Uint8Array;
    } catch (error) {
      failure = error;
    }
    // A helper that outlives git may keep the error stream open.
    const over = exited.then(async () => await delay(LAST_WORDS_MS, undefined, { ref: false }));
    const result = await Promise.race([child, over]);
    checkAborted(signal);
    const exitCode = result?.exitCode ?? running.exitCode ?? undefined;
    if (exitCode !== 0 || timedOut || failure)
      throw new GitFailed({ exitCode, code: result?.code, errorText: errorText(), timedOut });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    if (running.exitCode === null && running.signalCode === null) stop();
    child.stderr.destroy();
  }
}

function endGroup({
  pid,
  exitCode,
  signalCode,
}: {
  pid?: number | undefined;
  exitCode: number | null;
  signalCode: string | null;
}): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It ended at this very moment.
  }
}

/** Keeps only the end: a server's messages may have any length. */
function lastText(stream: NodeJS.ReadableStream): () => string {
  let kept = Buffer.alloc(0);
  stream.on("data", (piece: Buffer) => {
    kept = Buffer.concat([kept, piece]).subarray(-ERROR_TEXT_BYTES);
  });
  stream.on("error", () => undefined);
  return () => kept.toString("utf8");
}
