import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { RunResult, RuntimeWorkspace, WorkspaceRuntime } from "@skillwright/core";
import { readText } from "@skillwright/core";
import type { RunCommand } from "@skillwright/core/adapter";
import { type RunOptions, run } from "@skillwright/core/adapter";
import type { ContractPromise } from "../contract.js";

export interface RuntimeSubject {
  readonly runtime: WorkspaceRuntime;
  /** A second runtime on the same storage, as another process would open it. */
  readonly other: WorkspaceRuntime;
}

export type RuntimePromise = ContractPromise<RuntimeSubject>;

/** A promise about one newly created workspace. */
export function inWorkspace(
  id: string,
  promise: string,
  check: (workspace: RuntimeWorkspace, subject: RuntimeSubject) => Promise<void>,
): RuntimePromise {
  return {
    id: `workspace-runtime/${id}`,
    promise,
    seed: undefined,
    run: async (subject) => await check(await subject.runtime.create("w1"), subject),
  };
}

/** A command with its own run id, in the root, with generous limits. */
export function command(text: string, more: Partial<RunCommand> = {}): RunCommand {
  return {
    runId: `run-${randomBytes(8).toString("hex")}`,
    command: text,
    cwd: ".",
    env: {},
    timeoutMs: 120_000,
    maxOutputBytes: 64 * 1024,
    ...more,
  };
}

/** Runs the text to its end, whatever the outcome. */
export async function runText(
  workspace: RuntimeWorkspace,
  text: string,
  more: Partial<RunCommand> = {},
  options: RunOptions = {},
): Promise<RunResult> {
  return await run(workspace, command(text, more), options);
}

/** Returns what the text prints; the command must succeed. */
export async function printed(
  workspace: RuntimeWorkspace,
  text: string,
  more: Partial<RunCommand> = {},
): Promise<string> {
  const { exitCode, stdout, stderr } = await runText(workspace, text, more);
  assert.equal(exitCode, 0, `${text}: ${stderr.text}`);
  return stdout.text;
}

export async function contentOf(workspace: RuntimeWorkspace, path: string): Promise<string> {
  return await readText(await workspace.get(path), 1024 * 1024);
}

/** The paths of existing files, for comparison. */
export async function pathsOf(workspace: RuntimeWorkspace, path?: string): Promise<readonly string[]> {
  return (await workspace.list(path)).map((entry) => entry.path);
}
