import type { RuntimeWorkspace } from "@skillwright/core";
import type { PausableWorkspace } from "@skillwright/core/adapter";
import type { OpenWorkspace } from "./open-workspace.js";
import type { SharedRecords } from "./shared-records.js";

/** Resumes a workspace that a policy of any process paused. Concurrent callers resume it one after the other. */
export async function resumed(
  workspace: Pick<OpenWorkspace, "runtime" | "isPaused">,
  records: SharedRecords,
): Promise<void> {
  const { runtime } = workspace;
  await records.alone(runtime.id, "lifecycle", {}, async () => {
    if (isPausable(runtime)) await runtime.resume();
    workspace.isPaused = false;
    const record = await records.get(runtime.id);
    if (record?.state !== "paused") return;
    const { state, ...awake } = record;
    await records.put(awake);
  });
}

export function isPausable(workspace: RuntimeWorkspace): workspace is PausableWorkspace {
  return "pause" in workspace && "resume" in workspace;
}
