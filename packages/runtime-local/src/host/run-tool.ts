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
}

/** Runs a short-lived system program by absolute path; never rejects. Not for commands of users or skills. */
export async function runTool(
  file: string,
  args: readonly string[],
  { credentials, inputs = [], timeoutMs = 30_000 }: ToolOptions = {},
): Promise<ToolResult> {
  // Loaded on demand, because loading execa takes longer than most runs.
  const { execa } = await import("execa");
  const result = await execa(file, args, {
    cwd: "/",
    env: TOOL_ENVIRONMENT,
    extendEnv: false,
    reject: false,
    stdio: ["ignore", "pipe", "pipe", ...inputs],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: 1024 * 1024,
    ...credentials,
  });
  const { exitCode, timedOut, code } = result;
  return { exitCode, timedOut, code, stdout: String(result.stdout), stderr: String(result.stderr) };
}
