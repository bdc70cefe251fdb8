import { setTimeout as wait } from "node:timers/promises";
import {
  type CallOptions,
  type ContentStore,
  checkAborted,
  type RunEvent,
  type SessionScope,
  SkillError,
  untilAborted,
  type WorkspaceInfo,
  type WorkspaceRunOptions,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { singleFlight } from "../waiting/single-flight.js";
import type { OpenWorkspaces } from "./open-workspaces.js";
import { isWorkspaceId, randomWorkspaceId, sessionWorkspaceId } from "./workspace-id.js";

const ATTEMPTS = 6;

export interface WorkspaceLifecycle {
  create(session: SessionScope | undefined, options: WorkspaceRunOptions): Promise<WorkspaceInfo>;
  forSession(session: SessionScope, options: WorkspaceRunOptions): Promise<WorkspaceInfo>;
  destroy(id: string, options: CallOptions): Promise<boolean>;
  list(options: CallOptions): Promise<readonly WorkspaceInfo[]>;
  /** Ids that this manager made and did not destroy. */
  created(): readonly string[];
}

export function workspaceLifecycle(parts: {
  runtime: WorkspaceRuntime;
  content: ContentStore | undefined;
  workspaces: OpenWorkspaces;
  emitterFor: (options: WorkspaceRunOptions) => (event: RunEvent) => void;
}): WorkspaceLifecycle {
  const { runtime, content, workspaces, emitterFor } = parts;
  const createOnce = singleFlight<WorkspaceInfo>();
  const destroying = new Map<string, Promise<boolean>>();
  const made = new Set<string>();

  async function createWith(
    id: string,
    session: SessionScope | undefined,
    options: WorkspaceRunOptions,
  ): Promise<WorkspaceInfo> {
    const started = performance.now();
    const handle = await runtime.create(id, { signal: options.signal });
    made.add(id);
    const { info } = workspaces.add(handle, session);
    emitterFor(options)({
      type: "workspace.created",
      workspaceId: id,
      durationMs: performance.now() - started,
    });
    return info;
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
      await destroying.get(id)?.catch(() => undefined);
      const found = await workspaces.find(id, { session });
      if (found) return found.info;
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
    const work = remove(id).finally(() => destroying.delete(id));
    destroying.set(id, work);
    return await untilAborted(work, signal);
  }

  async function remove(id: string): Promise<boolean> {
    const known = workspaces.forget(id);
    const removed = await runtime.destroy(id);
    made.delete(id);
    // A call may have attached to it while it went.
    const late = workspaces.forget(id);
    // A run that is still staging may take one more lease.
    await Promise.all([known?.runs.idle(), late?.runs.idle()]);
    await content?.releaseAll(id);
    return removed;
  }

  async function list(options: CallOptions): Promise<readonly WorkspaceInfo[]> {
    const infos: WorkspaceInfo[] = [];
    for (const id of await runtime.list(options)) {
      const workspace = await workspaces.find(id, options);
      if (workspace) infos.push(workspace.info);
    }
    return infos;
  }

  return { create, forSession, destroy, list, created: () => [...made] };
}
