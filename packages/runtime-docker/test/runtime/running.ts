import { randomBytes } from "node:crypto";
import type { RunResult, RuntimeWorkspace } from "@skillwright/core";
import { type RunCommand, run } from "@skillwright/core/adapter";

export function command(text: string, more: Partial<RunCommand> = {}): RunCommand {
  const runId = randomBytes(8).toString("hex");
  return { runId, command: text, cwd: ".", env: {}, timeoutMs: 120_000, maxOutputBytes: 64 * 1024, ...more };
}

/** Runs the text in the workspace's root, unless told otherwise. */
export async function runText(
  workspace: RuntimeWorkspace,
  text: string,
  more: Partial<RunCommand> = {},
): Promise<RunResult> {
  return await run(workspace, command(text, more));
}

/** Standard output of a command that goes well. */
export async function printed(workspace: RuntimeWorkspace, text: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runText(workspace, text);
  if (exitCode !== 0) throw new Error(`${text} ended with ${exitCode}: ${stderr.text}`);
  return stdout.text.trim();
}
