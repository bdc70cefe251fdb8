import { type CallOptions, type Diagnostic, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { forEachLimited, WORKSPACE_LAYOUT, withSpan } from "@skillwright/core/adapter";
import { listIfThere } from "../files/list-if-there.js";
import type { RunMemory } from "./run-memory.js";

const KEPT = 20;
/** Removing takes longer than a short command, so it is done for several runs at once. */
const MOST = 40;
const PARALLEL = 4;

/**
 * Keeps the last 20 to 40 run directories, including that of the upcoming run. Runs are listed once per process and
 * workspace. A directory that cannot be removed is reported and kept.
 */
export async function removeOldRuns(
  workspace: RuntimeWorkspace,
  memory: RunMemory,
  runId: string,
  { signal, tell }: CallOptions & { tell: (diagnostic: Diagnostic) => void },
): Promise<void> {
  if (!workspace.remove) return;
  memory.runDirectories ??= await runDirectories(workspace, signal).catch((error: unknown) => {
    tell(notRemoved(error));
    return [];
  });
  const known = memory.runDirectories;
  known.push(runId);
  if (known.length <= MOST) return;
  const old = known.splice(0, known.length - KEPT);
  await withSpan("workspace.cleanup", { workspaceId: workspace.id, runs: old.length }, async () => {
    await forEachLimited(old, PARALLEL, async (id) => {
      await workspace
        .remove?.(`${WORKSPACE_LAYOUT.runs}/${id}`, { signal })
        .catch((error: unknown) => tell(notRemoved(error)));
    });
  });
}

async function runDirectories(
  workspace: RuntimeWorkspace,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const entries = await listIfThere(workspace, WORKSPACE_LAYOUT.runs, { signal });
  // Other directories belong to the commands.
  const runs = entries.filter(({ path }) => /^runs\/run_(\d{8}T\d{9}Z_[0-9a-f]{8}|[0-9a-f]{32})$/.test(path));
  return runs.sort((a, b) => a.modifiedMs - b.modifiedMs).map(({ path }) => path.slice("runs/".length));
}

function notRemoved(error: unknown): Diagnostic {
  return {
    code: "run.cleanup-failed",
    severity: "warning",
    message: `Directories of earlier runs could not be removed. ${SkillError.from(error, "Removing").message}`,
    hint: "They only use disk space; destroy the workspace when it is no longer needed.",
  };
}
