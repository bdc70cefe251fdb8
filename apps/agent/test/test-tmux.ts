import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface TestTmux {
  readonly folder: string;
  /** Runs a command of tmux on the test's own server and returns its output. */
  readonly tmux: (...args: readonly string[]) => Promise<string>;
}

/** A server of tmux in an own folder with these files; it ends with the test. */
export async function testTmux(files: Readonly<Record<string, string>>): Promise<TestTmux> {
  const folder = await mkdtemp(join(tmpdir(), "sw-screen-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TMUX_TMPDIR: folder };
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const child = spawn("tmux", ["-u", "-f", "/dev/null", "-L", "screen", ...args], { cwd: folder, env });
    const [out] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return out;
  };
  onTestFinished(async () => void (await tmux("kill-server")));
  return { folder, tmux };
}
