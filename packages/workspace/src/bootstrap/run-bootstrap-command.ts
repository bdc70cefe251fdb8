import { type ByteStream, type RunResult, type Secret, SkillError } from "@skillwright/core";
import { checkAborted, run, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { runEnvironment } from "../run/run-environment.js";
import { newRunId } from "../run/run-id.js";
import type { BootstrapPlace } from "./bootstrap-place.js";

const MAX_OUTPUT_BYTES = 64 * 1024;

export interface BootstrapCommand {
  readonly command: string;
  readonly skill: string | undefined;
  readonly env?: Readonly<Record<string, string | Secret>>;
  readonly timeoutMs: number;
  readonly network?: boolean | undefined;
  readonly stdin?: ByteStream;
}

/**
 * Runs one command in the workspace's root, with a run directory that is removed afterwards.
 * @param afterwards Called with the run's directory, relative to the root, before it is removed.
 */
export async function runBootstrapCommand(
  { command, skill, env = {}, timeoutMs, network = false, stdin }: BootstrapCommand,
  { workspace, limits, bestEffort, signal, now, tell }: BootstrapPlace,
  afterwards?: (result: RunResult, directory: string) => Promise<void>,
): Promise<RunResult> {
  const runId = newRunId(now());
  const directory = `${WORKSPACE_LAYOUT.runs}/${runId}`;
  try {
    const variables = runEnvironment({ root: workspace.root, runId, skill }, env);
    const place = { runId, command, cwd: ".", env: variables, stdin };
    const bounds = { timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES, limits, bestEffort };
    // Where the network cannot be turned off, the application chose that isolation.
    const net = network ? { network } : {};
    const result = await run(workspace, { ...place, ...bounds, ...net }, { signal });
    checkAborted(signal);
    await afterwards?.(result, directory);
    return result;
  } finally {
    await workspace.remove?.(directory).catch((error: unknown) => {
      if (!SkillError.is(error, "WORKSPACE_NOT_FOUND")) tell(notRemoved(error));
    });
  }
}

function notRemoved(error: unknown) {
  return {
    code: "run.cleanup-failed",
    severity: "warning",
    message: `The directory of a bootstrap command could not be removed. ${SkillError.from(error, "Removing").message}`,
    hint: "It only uses disk space; destroy the workspace when it is no longer needed.",
  } as const;
}
