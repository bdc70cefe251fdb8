import { setTimeout as wait } from "node:timers/promises";
import {
  type CallOptions,
  type ContentStore,
  type Diagnostic,
  type RunEvent,
  type SessionScope,
  SkillError,
  type WorkspaceInfo,
  type WorkspaceRunOptions,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { checkAborted, untilAborted, type WorkspaceRecord, withSpan } from "@skillwright/core/adapter";
import type { Clock } from "../clock.js";
import { singleFlight } from "../waiting/single-flight.js";
import { damagedWorkspace, exists } from "./damaged-workspace.js";
import type { Keeper } from "./keeper.js";
import { newRecord } from "./new-record.js";
import type { OpenWorkspace } from "./open-workspace.js";
import type { OpenWorkspaces } from "./open-workspaces.js";
import { repairWorkspace } from "./repair-workspace.js";
import type { SharedRecords } from "./shared-records.js";
import { isWorkspaceId, randomWorkspaceId, sessionWorkspaceId } from "./workspace-id.js";

const ATTEMPTS = 6;

/** @param signal Fires when the caller aborts or the exclusive lease is lost. */
type Filling = (workspace: OpenWorkspace, signal: AbortSignal | undefined) => Promise<void>;

export interface WorkspaceLifecycle {
  create(session: SessionScope | undefined, options: WorkspaceRunOptions): Promise<WorkspaceInfo>;
  /**
   * Creates a workspace that becomes available when `fill` has settled: earlier calls wait. If `fill` fails, the
   * workspace is destroyed; if this process dies, the next process that finds it destroys it.
   * @throws SkillError `CONFLICT` where one with that id exists; what `fill` throws.
   */
  createFilled(
    id: string,
    session: SessionScope | undefined,
    options: WorkspaceRunOptions,
    fill: Filling,
  ): Promise<WorkspaceInfo>;
  forSession(session: SessionScope, options: WorkspaceRunOptions): Promise<WorkspaceInfo>;
  destroy(id: string, options: CallOptions): Promise<boolean>;
  /**
   * Finishes a destruction that was begun. Returns `false` where there is nothing to finish.
   * @throws SkillError `CONFLICT` while another process is doing it; what the runtime throws.
   */
  finish(id: string): Promise<boolean>;
  /** As `WorkspaceManager.repair`. */
  repair(id: string, options: CallOptions): Promise<boolean>;
  /** Omits damaged workspaces, which are reported. */
  list(options: CallOptions): Promise<readonly WorkspaceInfo[]>;
  /** Ids that this manager created and has not destroyed. */
  created(): readonly string[];
}

export function workspaceLifecycle(parts: {
  runtime: WorkspaceRuntime;
  content: ContentStore | undefined;
  clock: Clock;
  workspaces: OpenWorkspaces;
  records: SharedRecords;
  /** Workspaces whose destruction was only partly done; they must not be used until it is finished. Updated here. */
  unfinished: Set<string>;
  /** Keeper of workspaces that are created here and destroyed on close. */
  keeper: Keeper | undefined;
  tell: (diagnostic: Diagnostic) => void;
  emitterFor: (options: WorkspaceRunOptions) => (event: RunEvent) => void;
}): WorkspaceLifecycle {
  const { runtime, content, clock, workspaces, records, unfinished, keeper, tell, emitterFor } = parts;
  const createOnce = singleFlight<WorkspaceInfo>();
  const destroying = new Map<string, Promise<boolean>>();
  const made = new Set<string>();

  async function createWith(
    id: string,
    session: SessionScope | undefined,
    options: WorkspaceRunOptions,
    fill?: Filling,
  ): Promise<WorkspaceInfo> {
    const started = performance.now();
    const { signal } = options;
    const info = await withSpan("workspace.create", { workspaceId: id }, () =>
      records.alone(id, "lifecycle", { signal }, async (alone) => {
        const before = await records.get(id, { signal });
        if (isBegun(id, before)) await removeAlone(id);
        const record = newRecord(id, session, clock, await keeper?.begin());
        // This process has the lease, so an unfinished workspace belongs to a process that was killed or has lost the lease.
        const wish = { signal: alone, replaceUnfinished: records.isShared };
        const create = () => runtime.create(id, wish);
        const handle = await (fill ? marked(record, create, alone) : create());
        made.add(id);
        if (!fill) await records.put(record);
        const workspace = workspaces.add(handle, session, record);
        if (fill) await filled(workspace, record, () => fill(workspace, alone));
        return workspace.info;
      }),
    );
    emitterFor(options)({
      type: "workspace.created",
      workspaceId: id,
      durationMs: performance.now() - started,
    });
    return info;
  }

  /**
   * Stores a record that marks the workspace as unusable, before the workspace is created. If this process then dies, nobody takes the
   * empty workspace for a restored one.
   */
  async function marked<T>(
    record: WorkspaceRecord,
    create: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { workspaceId: id } = record;
    // If the workspace exists, its record is not touched, and creating it fails.
    if (await exists(runtime, id, { signal })) return await create();
    await records.put({ ...record, state: "destroying" });
    try {
      return await create();
    } catch (error) {
      // If another process took the id, only the mark is removed. A workspace that cannot be destroyed now stays marked.
      const isOthers = SkillError.is(error, "CONFLICT");
      // The first failure is thrown.
      await (isOthers ? records.remove(id) : removeAlone(id)).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Until it is complete, its record is marked as being destroyed, so that it cannot be mistaken for a complete one.
   */
  async function filled(workspace: OpenWorkspace, record: WorkspaceRecord, fill: () => Promise<void>) {
    const { id } = workspace.runtime;
    async function work(): Promise<void> {
      try {
        await records.put({ ...record, state: "destroying" });
        await workspace.runs.run(fill);
        await records.put(record);
      } catch (error) {
        // If it was destroyed meanwhile, another one may exist by now. One that cannot be destroyed now stays marked.
        if (workspaces.get(id) === workspace) await removeAlone(id).catch(() => undefined);
        throw error;
      }
    }
    const working = work().finally(() => {
      workspace.acting = undefined;
    });
    // Its failure is thrown by the await below.
    workspace.acting = working.catch(() => undefined);
    await working;
  }

  async function create(
    session: SessionScope | undefined,
    options: WorkspaceRunOptions,
  ): Promise<WorkspaceInfo> {
    checkAborted(options.signal);
    return await createWith(session ? sessionWorkspaceId(session) : randomWorkspaceId(), session, options);
  }

  async function forSession(session: SessionScope, options: WorkspaceRunOptions): Promise<WorkspaceInfo> {
    checkAborted(options.signal);
    const id = sessionWorkspaceId(session);
    // The work does not use a caller's signal: if the first caller leaves, the others still need it.
    const { onEvent } = options;
    return await untilAborted(
      createOnce(id, () => attachOrCreate(id, session, { onEvent })),
      options.signal,
    );
  }

  /** Another process may create or remove it between two steps; the second process attaches. */
  async function attachOrCreate(
    id: string,
    session: SessionScope,
    options: WorkspaceRunOptions,
  ): Promise<WorkspaceInfo> {
    for (let attempt = 1; ; attempt++) {
      await workspaces.get(id)?.acting;
      // Its failure is thrown to whoever destroys the workspace.
      await destroying.get(id)?.catch(() => undefined);
      const found = await workspaces.find(id, { session });
      if (found) {
        await records.touch(id);
        return found.info;
      }
      try {
        return await createWith(id, session, options);
      } catch (error) {
        if (!SkillError.is(error, "CONFLICT") || attempt === ATTEMPTS) throw error;
        await wait(5 * 2 ** attempt);
      }
    }
  }

  async function destroy(id: string, { signal }: CallOptions): Promise<boolean> {
    if (!isWorkspaceId(id)) return false;
    checkAborted(signal);
    const underway = destroying.get(id);
    // Of two concurrent calls, only one destroyed it.
    if (underway)
      return await untilAborted(
        underway.then(() => false),
        signal,
      );
    const work = withSpan("workspace.cleanup", { workspaceId: id }, async (set) => {
      const removed = await records.alone(id, "lifecycle", {}, () => removeAlone(id));
      set({ removed });
      return removed;
    }).finally(() => destroying.delete(id));
    destroying.set(id, work);
    return await untilAborted(work, signal);
  }

  async function finish(id: string): Promise<boolean> {
    if (destroying.has(id)) return false;
    return await records.alone(id, "lifecycle", { waitMs: 0 }, async () => {
      // Another process may have finished it, and a new one may have been created since.
      if (isBegun(id, await records.get(id))) return await removeAlone(id);
      unfinished.delete(id);
      return false;
    });
  }

  function isBegun(id: string, record: WorkspaceRecord | undefined): boolean {
    return records.isShared ? record?.state === "destroying" : unfinished.has(id);
  }

  /**
   * The record shows the state from the first step to the last, so that one process can finish what another began.
   * `true` is returned only after the last step; until then the workspace counts as existing.
   */
  async function removeAlone(id: string): Promise<boolean> {
    const record = await readable(id);
    const wasBegun = isBegun(id, record);
    // Marking a missing workspace would make the next caller believe that there was something to destroy.
    if (records.isShared && !record && !(await exists(runtime, id))) return false;
    if (!wasBegun) await records.put({ ...(record ?? newRecord(id, undefined, clock)), state: "destroying" });
    unfinished.add(id);
    const known = workspaces.forget(id);
    const removed = await runtime.destroy(id);
    made.delete(id);
    // A call may have attached to it during the removal.
    const late = workspaces.forget(id);
    // A run that is still staging may acquire another lease.
    await Promise.all([known?.runs.idle(), late?.runs.idle()]);
    await content?.releaseAll(id);
    await records.remove(id);
    unfinished.delete(id);
    return removed || wasBegun;
  }

  /** An unreadable record counts as missing and is removed with the workspace. */
  async function readable(id: string): Promise<WorkspaceRecord | undefined> {
    try {
      return await records.get(id);
    } catch (error) {
      if (!damagedWorkspace(error)) throw error;
      return undefined;
    }
  }

  async function list(options: CallOptions): Promise<readonly WorkspaceInfo[]> {
    const infos: WorkspaceInfo[] = [];
    for (const id of await runtime.list(options)) {
      try {
        const workspace = await workspaces.find(id, options);
        if (workspace) infos.push(workspace.info);
      } catch (error) {
        const diagnostic = damagedWorkspace(error);
        if (!diagnostic) throw error;
        tell(diagnostic);
      }
    }
    return infos;
  }

  return {
    create,
    createFilled: createWith,
    forSession,
    destroy,
    finish,
    repair: (id, { signal }) => repairWorkspace(id, { runtime, content, clock, workspaces, records, signal }),
    list,
    created: () => [...made],
  };
}
