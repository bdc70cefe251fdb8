import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { everyOf } from "../../../test/full-form.js";

const script = fileURLToPath(new URL("children/write.mjs", import.meta.url));

export interface ChildResult {
  readonly isKilled: boolean;
  /** The number of its calls that change the file system, if it ran to its end. */
  readonly calls: number;
  /** The numbers of those that write bytes to a file that is open. */
  readonly writing: readonly number[];
}

/**
 * Runs `children/write.mjs`; with `killAt` it is killed before that call, and with `isHalf` in the middle of it, if it writes bytes.
 * Any other end is an error.
 */
export async function runChild(
  parameters: readonly string[],
  killAt?: number,
  isHalf = false,
): Promise<ChildResult> {
  const env = {
    ...process.env,
    ...(killAt !== undefined && { KILL_AT: String(killAt) }),
    ...(isHalf && { KILL_IN: "1" }),
  };
  const child = spawn(process.execPath, [script, ...parameters], { env, stdio: ["ignore", "pipe", "pipe"] });
  const output: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (data: Buffer) => {
      output[stream] += data.toString();
    });
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve({ isKilled: true, calls: 0, writing: [] });
      else if (code === 0) resolve({ isKilled: false, ...JSON.parse(output.stdout) });
      else reject(new Error(`The child ended with ${code ?? signal}: ${output.stderr}`));
    });
  });
}

/**
 * Runs one child to its end, and kills new ones before their first call, their second, and so on: before each call in the
 * full form, otherwise before a few. Returns the number of calls.
 */
export async function killAtEveryStep(
  attempt: (
    killAt: number | undefined,
  ) => Promise<{ readonly result: ChildResult; check: () => Promise<void> }>,
): Promise<number> {
  const whole = await attempt(undefined);
  await whole.check();
  for (const killAt of everyOf(whole.result.calls)) await (await attempt(killAt)).check();
  return whole.result.calls;
}
