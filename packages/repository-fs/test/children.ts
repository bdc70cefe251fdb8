import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../dist/index.js", import.meta.url));
const script = fileURLToPath(new URL("children/write.mjs", import.meta.url));

/** Other processes run the built package. Where it is not built their tests are not registered, and a line says so. */
export function isBuilt(): boolean {
  if (existsSync(built)) return true;
  const message =
    "repository-fs: what several processes do is not tested, packages/repository-fs/dist is not there";
  if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1") throw new Error(message);
  console.log(message);
  return false;
}

export interface ChildResult {
  readonly isKilled: boolean;
  /** How many calls it made that change the file system, where it came to its end. */
  readonly calls: number;
}

/** Runs `children/write.mjs`; with `killAt` it is killed before that call. Any other end than these two is an error. */
export async function runChild(parameters: readonly string[], killAt?: number): Promise<ChildResult> {
  const env = { ...process.env, ...(killAt !== undefined && { KILL_AT: String(killAt) }) };
  const child = spawn(process.execPath, [script, ...parameters], { env, stdio: ["ignore", "pipe", "pipe"] });
  const output: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (data: Buffer) => {
      output[stream] += data.toString();
    });
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve({ isKilled: true, calls: 0 });
      else if (code === 0) resolve({ isKilled: false, calls: Number(output.stdout) });
      else reject(new Error(`The child ended with ${code ?? signal}: ${output.stderr}`));
    });
  });
}

/** Kills a fresh child before its first call, its second, and so on, until one comes to its end. */
export async function killAtEveryStep(
  attempt: (killAt: number) => Promise<{ readonly result: ChildResult; check: () => Promise<void> }>,
): Promise<number> {
  for (let killAt = 1; ; killAt++) {
    const { result, check } = await attempt(killAt);
    await check();
    if (!result.isKilled) return killAt - 1;
  }
}
