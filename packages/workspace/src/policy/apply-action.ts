import { type Diagnostic, type RuntimeWorkspace, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import type { OpenWorkspaces } from "../lifecycle/open-workspaces.js";
import { isPausable, resumed } from "../lifecycle/resume-workspace.js";
import type { SharedRecords } from "../lifecycle/shared-records.js";
import type { Operation } from "./operation-bounds.js";
import type { PolicyAction } from "./policy-action.js";
import { type PolicyCandidate, useMark } from "./policy-candidates.js";
import { pauseUnsupported } from "./policy-diagnostics.js";
import type { PolicyWorkspace } from "./policy-workspace.js";

export type PolicyOutcome = "destroyed" | "kept" | "done" | "in-use";

export interface ActionParts {
  readonly runtime: WorkspaceRuntime;
  readonly workspaces: OpenWorkspaces;
  readonly records: SharedRecords;
  readonly destroy: (id: string) => Promise<boolean>;
  readonly operation: Operation;
  readonly show: (candidate: PolicyCandidate) => PolicyWorkspace;
  readonly tell: (diagnostic: Diagnostic) => void;
}

/**
 * Applies the action while no run and no upload is in progress, here or in another process, and only if the workspace
 * was not used since it was checked. Calls of this process wait meanwhile, at most until the operation's timeout.
 * @throws what the action throws.
 */
export async function applyAction(
  action: PolicyAction,
  candidate: PolicyCandidate,
  parts: ActionParts,
): Promise<PolicyOutcome> {
  const { id } = candidate;
  const { records } = parts;
  if (typeof action === "function") {
    // Without the exclusive lease: a callback may call the workspace.
    await parts.operation.until(action(parts.show(candidate)));
    return "done";
  }
  if (action.action === "keep") return "kept";
  const atOnce = { waitMs: 0, tell: parts.tell, signal: parts.operation.signal };
  try {
    return await records.alone(id, "run", atOnce, () =>
      records.alone(id, "upload", atOnce, () => actAlone(action, candidate, parts)),
    );
  } catch (error) {
    if (SkillError.is(error, "CONFLICT")) return "in-use";
    throw error;
  }
}

async function actAlone(
  action: Exclude<PolicyAction, (...parameters: never) => unknown>,
  candidate: PolicyCandidate,
  parts: ActionParts,
): Promise<PolicyOutcome> {
  const { id } = candidate;
  const { workspaces, records } = parts;
  const record = await records.get(id);
  const entry = workspaces.get(id);
  const isGone = records.isShared && (!record || record.state === "destroying");
  const isUsed = (entry?.busy ?? 0) > 0 || useMark(record, workspaces.lastUsedMs(id)) !== candidate.useMark;
  if (isGone || isUsed || entry?.acting) return "in-use";
  const work = parts.operation.until(act(action, candidate, record, parts));
  const acting = work.then(
    () => undefined,
    () => undefined,
  );
  if (entry) entry.acting = acting;
  try {
    return await work;
  } finally {
    if (entry) entry.acting = undefined;
  }
}

async function act(
  action: Exclude<PolicyAction, (...parameters: never) => unknown>,
  candidate: PolicyCandidate,
  record: WorkspaceRecord | undefined,
  parts: ActionParts,
): Promise<PolicyOutcome> {
  const { operation } = parts;
  if (action.action === "pause") return await pauseOr(action.otherwise, candidate, record, parts);
  if (action.action === "archive") await operation.until(action.archive(parts.show(candidate)));
  await operation.until(parts.destroy(candidate.id));
  return "destroyed";
}

async function pauseOr(
  otherwise: PolicyAction,
  candidate: PolicyCandidate,
  record: WorkspaceRecord | undefined,
  parts: ActionParts,
): Promise<PolicyOutcome> {
  const { id } = candidate;
  const { runtime, workspaces, records, operation } = parts;
  const { signal } = operation;
  const handle: RuntimeWorkspace | undefined =
    workspaces.get(id)?.runtime ?? (await operation.until(runtime.attach(id, { signal })));
  if (!handle) return "in-use";
  if (!isPausable(handle)) {
    parts.tell(pauseUnsupported(runtime.label));
    if (typeof otherwise !== "function" && otherwise.action !== "keep")
      return await act(otherwise, candidate, record, parts);
    return await applyAction(otherwise, candidate, parts);
  }
  const entry = workspaces.get(id);
  // Not while another process resumes it. A caller that finds it marked waits until it is paused.
  const isAsleep = await records.alone(id, "lifecycle", { signal, tell: parts.tell }, async () => {
    const now = await records.get(id);
    if (now?.lastUsedAt !== record?.lastUsedAt) return false;
    if (entry) entry.isPaused = true;
    if (now) await records.put({ ...now, state: "paused" });
    await operation.until(handle.pause({ signal }));
    return true;
  });
  if (!isAsleep) return "in-use";
  // A call of any process may have begun in between and found it not yet paused.
  const after = await records.get(id);
  if (after && after.lastUsedAt !== record?.lastUsedAt)
    await resumed(workspaces.get(id) ?? { runtime: handle, isPaused: true }, records);
  return "done";
}
