import {
  type CallOptions,
  type ContentStore,
  type Diagnostic,
  SkillError,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { checkAborted, forEachLimited, untilAborted, type WorkspaceRecord } from "@skillwright/core/adapter";
import type { Clock } from "../clock.js";
import { isPreparationId } from "../environment/preparation-id.js";
import type { OperationBounds } from "../policy/operation-bounds.js";
import { damagedWorkspace, exists } from "./damaged-workspace.js";
import { isKeeperGone } from "./keeper.js";
import { newRecord } from "./new-record.js";
import type { SharedRecords } from "./shared-records.js";
import { isWorkspaceId } from "./workspace-id.js";

const AT_ONCE = 4;

/** Ids of the workspaces that a sweep changed, sorted. */
export interface SweepResult {
  /** Workspaces that had no record and got one: their creator died early or worked without a registry. */
  readonly adopted: readonly string[];
  /** Records without a workspace, now removed. */
  readonly forgotten: readonly string[];
  /** Partly destroyed workspaces, now removed. */
  readonly finished: readonly string[];
  /**
   * Workspaces of a process that would have destroyed them on close but ended first, and those in which a killed
   * process prepared packages; now removed.
   */
  readonly abandoned: readonly string[];
  /** One for each of these, for each damaged workspace, and for each that could not be repaired. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares the records with the runtime's workspaces. Workspaces that another process is working on are skipped. A
 * failure or timeout on one is reported and does not stop the others. Each step checks the state again, since other
 * processes keep working meanwhile. @throws SkillError `LIMIT_EXCEEDED` where the lists do not arrive in time,
 * `ABORTED`.
 */
export async function sweepWorkspaces(
  parts: {
    runtime: WorkspaceRuntime;
    content: ContentStore | undefined;
    clock: Clock;
    records: SharedRecords;
    unfinished: ReadonlySet<string>;
    finish: (id: string) => Promise<boolean>;
    destroy: (id: string) => Promise<boolean>;
    isBusy: (id: string) => boolean;
    bounds: OperationBounds;
  },
  { signal }: CallOptions,
): Promise<SweepResult> {
  const { runtime, content, clock, records, bounds } = parts;
  const found: Record<SweepKind, string[]> = { adopted: [], forgotten: [], finished: [], abandoned: [] };
  const diagnostics: Diagnostic[] = [];
  // Records are listed first: a workspace created between the two listings is then checked again instead of being taken
  // for a leftover.
  const registered = await inTime(() => records.list({ signal }));
  const all = await inTime(() => runtime.list({ signal }));
  const there = new Set(all.filter(isWorkspaceId));
  const known = new Set(registered.map(({ workspaceId }) => workspaceId));
  const begun = new Set([...parts.unfinished, ...registered.filter(isBegun).map(idOf)]);
  const missing = registered.map(idOf).filter((id) => !there.has(id) && !begun.has(id) && isWorkspaceId(id));
  const strange = records.isShared ? [...there].filter((id) => !known.has(id) && !begun.has(id)) : [];

  await forEachLimited(begun, AT_ONCE, attempt("finished", parts.finish));
  await forEachLimited(missing, AT_ONCE, attempt("forgotten", forget));
  await forEachLimited(strange, AT_ONCE, attempt("adopted", adopt));
  const kept = new Map<string, Set<string>>();
  for (const { workspaceId, keeper } of registered)
    if (keeper !== undefined) kept.set(keeper, (kept.get(keeper) ?? new Set()).add(workspaceId));
  for (const [keeper, ids] of kept) await endAbandoned(keeper, ids);
  // Without a registry nothing tells whether another process is preparing there.
  const preparing = records.isShared ? all.filter(isPreparationId) : [];
  await forEachLimited(preparing, AT_ONCE, attempt("abandoned", endPreparation));
  if (runtime.repair) await forEachLimited(there, AT_ONCE, lookAt);
  for (const ids of Object.values(found)) ids.sort();
  return { ...found, diagnostics };

  function forget(id: string): Promise<boolean> {
    return inTurn(id, async () => {
      if (await exists(runtime, id)) return false;
      await content?.releaseAll(id);
      return await records.remove(id);
    });
  }

  function adopt(id: string): Promise<boolean> {
    return inTurn(id, async () => {
      if ((await records.get(id)) || !(await exists(runtime, id))) return false;
      await records.put(newRecord(id, undefined, clock));
      return true;
    });
  }

  /** If the keeper is gone, destroys its workspaces, except those in use. */
  async function endAbandoned(keeper: string, ids: ReadonlySet<string>): Promise<void> {
    const atOnce = { signal, waitMs: 0 };
    const end = async (id: string) => {
      if (begun.has(id) || parts.isBusy(id) || (await records.get(id))?.keeper !== keeper) return false;
      return await records.alone(id, "run", atOnce, () =>
        records.alone(id, "upload", atOnce, () => parts.destroy(id)),
      );
    };
    if (await inTime(() => isKeeperGone(keeper, records, signal)))
      await forEachLimited(ids, AT_ONCE, attempt("abandoned", end));
  }

  /** A process that prepares holds the lease. */
  function endPreparation(id: string): Promise<boolean> {
    return records.alone(id, "run", { signal, waitMs: 0 }, () => runtime.destroy(id));
  }

  async function lookAt(id: string): Promise<void> {
    const error = await inTime(() => runtime.attach(id, { signal })).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    const diagnostic = damagedWorkspace(error);
    if (diagnostic) diagnostics.push(diagnostic);
  }

  /** If another process holds the lease, skips the work without waiting. */
  function inTurn(id: string, work: () => Promise<boolean>): Promise<boolean> {
    return records.alone(id, "lifecycle", { signal, waitMs: 0 }, work);
  }

  async function inTime<T>(work: () => Promise<T>): Promise<T> {
    return await untilAborted(bounds.begin(work).outcome, signal);
  }

  function attempt(kind: SweepKind, work: (id: string) => Promise<boolean>): (id: string) => Promise<void> {
    return async (id) => {
      checkAborted(signal);
      try {
        if (!(await inTime(() => work(id)))) return;
        found[kind].push(id);
        diagnostics.push(told(kind, id));
      } catch (error) {
        if (signal?.aborted) throw error;
        if (!SkillError.is(error, "CONFLICT")) diagnostics.push(damagedWorkspace(error) ?? failed(id, error));
      }
    };
  }
}

type SweepKind = "adopted" | "forgotten" | "finished" | "abandoned";

function idOf({ workspaceId }: WorkspaceRecord): string {
  return workspaceId;
}

function isBegun({ state }: WorkspaceRecord): boolean {
  return state === "destroying";
}

function told(kind: SweepKind, id: string): Diagnostic {
  const what = {
    adopted: `The workspace ${id} had no record, as after a crash; a record was created.`,
    forgotten: `The workspace ${id} had a record but did not exist; the record was removed.`,
    finished: `The workspace ${id} was only partly destroyed; the rest was removed.`,
    abandoned: `The workspace ${id} was left by a process that ended before it could destroy it; it was removed.`,
  };
  const hint = "Nothing needs to be done. If it happens often, find out why processes end early.";
  return { code: `workspace.${kind}`, severity: "info", message: what[kind], hint };
}

function failed(id: string, error: unknown): Diagnostic {
  return {
    code: "sweep.failed",
    severity: "warning",
    message: `The workspace ${id} could not be cleaned up: ${SkillError.from(error, "Sweeping").message}`,
    hint: "The next sweep tries again. Check the runtime and the registry.",
  };
}
