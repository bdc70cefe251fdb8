import { type CallOptions, type ContentStore, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import type { Clock } from "../clock.js";
import { damagedWorkspace } from "./damaged-workspace.js";
import { newRecord } from "./new-record.js";
import type { OpenWorkspaces } from "./open-workspaces.js";
import type { SharedRecords } from "./shared-records.js";
import { isWorkspaceId } from "./workspace-id.js";

interface RepairParts extends CallOptions {
  readonly runtime: WorkspaceRuntime;
  readonly content: ContentStore | undefined;
  readonly clock: Clock;
  readonly workspaces: OpenWorkspaces;
  readonly records: SharedRecords;
}

/**
 * Ends this process's runs in a damaged workspace, waits for those of other processes, and repairs it. A sound workspace,
 * whose registered record alone may be damaged, keeps its runs. @throws SkillError `UNSUPPORTED`.
 */
export async function repairWorkspace(id: string, parts: RepairParts): Promise<boolean> {
  const { runtime, workspaces, records, signal } = parts;
  if (!runtime.repair) throw unrepairable(runtime.label);
  if (!isWorkspaceId(id)) return false;
  const repairs = () => records.alone(id, "lifecycle", { signal }, () => repairAlone(id, parts));
  if (!(await isDamaged(runtime.attach(id, { signal })))) return await repairs();
  await untilAborted(workspaces.forget(id)?.runs.idle() ?? Promise.resolve(), signal);
  return await records.alone(id, "run", { signal }, repairs);
}

/** Nobody uses the workspace meanwhile. A record that cannot be read is recreated without its owner. */
async function repairAlone(
  id: string,
  { runtime, content, clock, workspaces, records, signal }: RepairParts,
): Promise<boolean> {
  const repaired = await runtime.repair?.(id, { signal });
  if (repaired) {
    workspaces.forget(id);
    await content?.releaseAll(id);
  }
  const isUnreadable = await isDamaged(records.get(id));
  if (isUnreadable) await records.put(newRecord(id, undefined, clock));
  return repaired === true || isUnreadable;
}

async function isDamaged(reading: Promise<unknown>): Promise<boolean> {
  return await reading.then(
    () => false,
    (error: unknown) => damagedWorkspace(error) !== undefined,
  );
}

function unrepairable(label: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The runtime "${label}" cannot repair workspaces. Destroy a damaged one.`,
  );
}
