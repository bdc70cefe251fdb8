import { setTimeout as wait } from "node:timers/promises";
import {
  type CallOptions,
  type Clock,
  type ContentStore,
  checkAborted,
  type Diagnostic,
  type RunEvent,
  type SessionScope,
  SkillError,
  untilAborted,
  type WorkspaceInfo,
  type WorkspaceRecord,
  type WorkspaceRunOptions,
  type WorkspaceRuntime,
  withSpan,
} from "@skillwright/core";
import { singleFlight } from "../waiting/single-flight.js";
import { damagedWorkspace, isThere } from "./damaged-workspace.js";
import type { Keeper } from "./keeper.js";
import { newRecord } from "./new-record.js";
import type { OpenWorkspace, OpenWorkspaces } from "./open-workspaces.js";
import type { SharedRecords } from "./shared-records.js";
import { isWorkspaceId, randomWorkspaceId, sessionWorkspaceId } from "./workspace-id.js";

const ATTEMPTS = 6;

/** @param signal Of the caller, and of the right to work there alone. */
type Filling = (workspace: OpenWorkspace, signal: AbortSignal | undefined) => Promise<void>;

export interface WorkspaceLifecycle {
  create(session: SessionScope | undefined, options: WorkspaceRunOptions): Promise<WorkspaceInfo>;
  /**
   * Makes one that is there for others when `fill` settled: calls that come before wait. Where it fails the workspace is
   * destroyed, where this process dies by whoever finds it.
   * @throws SkillError `CONFLICT` where there is one of that id; what `fill` throws.
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
   * Destroys it if that was begun and not ended; `false` where there is nothing to finish.
   * @throws SkillError `CONFLICT` while another process is about it; what the runtime throws.
   */
  finish(id: string): Promise<boolean>;
  /** As `WorkspaceManager.repair`. */
  repair(id: string, options: CallOptions): Promise<boolean>;
  /** Without damaged ones, which are told. */
  list(options: CallOptions): Promise<readonly WorkspaceInfo[]>;
  /** Ids that this manager made and did not destroy. */
  created(): readonly string[];
}

export function workspaceLifecycle(parts: {
  runtime: WorkspaceRuntime;
  content: ContentStore | undefined;
  clock: Clock;
  workspaces: OpenWorkspaces;
  records: SharedRecords;
  /** Those whose destruction failed half way: nobody may use them until it is done. Kept up to date here. */
  unfinished: Set<string>;
  /** Of what is made here and destroyed when everything is closed. */
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
        const keptBy = await keeper?.begin();
        const handle = await runtime.create(id, { signal });
        made.add(id);
        const record = newRecord(id, session, clock, keptBy);
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

  /** Until it is whole its record says that it goes, so that nobody takes a half one for whole. */
  async function filled(workspace: OpenWorkspace, record: WorkspaceRecord, fill: () => Promise<void>) {
    const { id } = workspace.runtime;
    async function work(): Promise<void> {
      try {
        await records.put({ ...record, state: "destroying" });
        await workspace.runs.run(fill);
        await records.put(record);
      } catch (error) {
        // Somebody who destroyed it meanwhile may have made another one. What cannot be destroyed now stays marked.
        if (workspaces.get(id) === workspace) await removeAlone(id).catch(() => undefined);
        throw error;
      }
    }
    const working = work().finally(() => {
      workspace.acting = undefined;
    });
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
    // The work has no caller's signal: the first one may leave, the others still want it (TR-67).
    const { onEvent } = options;
    return await untilAborted(
      createOnce(id, () => attachOrCreate(id, session, { onEvent })),
      options.signal,
    );
  }

  /** Another process may make or remove it between two steps; who comes second attaches. */
  async function attachOrCreate(
    id: string,
    session: SessionScope,
    options: WorkspaceRunOptions,
  ): Promise<WorkspaceInfo> {
    for (let attempt = 1; ; attempt++) {
      await workspaces.get(id)?.acting;
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
    // Only one of two that came at once destroyed it.
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
      // Another process may have finished it, and somebody made a new one since.
      if (isBegun(id, await records.get(id))) return await removeAlone(id);
      unfinished.delete(id);
      return false;
    });
  }

  function isBegun(id: string, record: WorkspaceRecord | undefined): boolean {
    return records.isShared ? record?.state === "destroying" : unfinished.has(id);
  }

  /** Nobody uses it meanwhile. A record that cannot be read is made anew, without its owner. */
  async function repair(id: string, { signal }: CallOptions): Promise<boolean> {
    if (!runtime.repair) throw unrepairable(runtime.label);
    if (!isWorkspaceId(id)) return false;
    return await records.alone(id, "lifecycle", { signal }, async () => {
      const repaired = await runtime.repair?.(id, { signal });
      if (repaired) {
        workspaces.forget(id);
        await content?.releaseAll(id);
      }
      const isUnreadable = await records.get(id).then(
        () => false,
        (error: unknown) => damagedWorkspace(error) !== undefined,
      );
      if (isUnreadable) await records.put(newRecord(id, undefined, clock));
      return repaired === true || isUnreadable;
    });
  }

  /**
   * The record says what is going on from the first step to the last, so that one process finishes what another one did
   * not. Nobody is told `true` before the last step, hence what was begun counts as there.
   */
  async function removeAlone(id: string): Promise<boolean> {
    const record = await readable(id);
    const wasBegun = isBegun(id, record);
    // A mark on what is not there would make the next caller believe that there was something to destroy.
    if (records.isShared && !record && !(await isThere(runtime, id))) return false;
    if (!wasBegun) await records.put({ ...(record ?? newRecord(id, undefined, clock)), state: "destroying" });
    unfinished.add(id);
    const known = workspaces.forget(id);
    const removed = await runtime.destroy(id);
    made.delete(id);
    // A call may have attached to it while it went.
    const late = workspaces.forget(id);
    // A run that is still staging may take one more lease.
    await Promise.all([known?.runs.idle(), late?.runs.idle()]);
    await content?.releaseAll(id);
    await records.remove(id);
    unfinished.delete(id);
    return removed || wasBegun;
  }

  /** What cannot be read says nothing, and goes with the workspace. */
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
    repair,
    list,
    created: () => [...made],
  };
}

function unrepairable(label: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The runtime "${label}" cannot repair workspaces. Destroy a damaged one.`,
  );
}
