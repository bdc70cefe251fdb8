import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { RunResult, RuntimeWorkspace } from "@skillwright/core";
import { type RunCommand, run } from "@skillwright/core/adapter";

/** Runs the text, by default in the workspace's root. */
export async function runText(
  workspace: RuntimeWorkspace,
  command: string,
  more: Partial<RunCommand> = {},
): Promise<RunResult> {
  const runId = randomBytes(8).toString("hex");
  const base = { runId, command, cwd: ".", env: {}, timeoutMs: 120_000, maxOutputBytes: 64 * 1024 };
  return await run(workspace, { ...base, ...more });
}

/** Standard output of a command that succeeds. */
export async function printed(
  workspace: RuntimeWorkspace,
  command: string,
  more: Partial<RunCommand> = {},
): Promise<string> {
  const { exitCode, stdout, stderr } = await runText(workspace, command, more);
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${stderr.text}`);
  return stdout.text;
}

/** Minimum duration of the sleep by `markedSleep`: longer than vitest lets a test take. */
export const SLEEP_MS = 3_600_000;

/** A number of seconds that no other process sleeps, to identify it. */
export function markedSleep(): string {
  return `sleep ${SLEEP_MS / 1000}.${randomBytes(4).readUInt32LE().toString().padStart(10, "1")}`;
}

/** Processes of this machine with the text on their command line, without this one. */
export function processesWith(text: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => commandLine(name).includes(text))
    .map(Number);
}

/** True once this command itself runs. Before that, the programs that start it have its text in their arguments. */
export function isRunning(command: string): boolean {
  return processesWith(command).some((pid) => commandLine(pid).trim() === command);
}

export function commandLine(pid: string | number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
