import {
  type ByteStream,
  type CallOptions,
  type Clock,
  type ContentLease,
  type RuntimeWorkspace,
  type SessionScope,
  SkillError,
  type WorkspaceInfo,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { type SerialQueue, serialQueue } from "../waiting/serial-queue.js";
import { isWorkspaceId } from "./workspace-id.js";

/** A workspace this process works with. */
export interface OpenWorkspace {
  readonly runtime: RuntimeWorkspace;
  info: WorkspaceInfo;
  readonly runs: SerialQueue;
  readonly uploads: SerialQueue;
  /** What it holds in the content store, by skill. */
  readonly leases: Map<string, ContentLease>;
  /** Fires when the workspace is destroyed or the manager closed; ends the run in progress. */
  readonly ending: AbortController;
  /** Calls in progress. */
  busy: number;
  /** On the monotonic clock; missing while this process has only seen it, in a list or by attaching. */
  lastUsedMs: number | undefined;
}

/** The workspaces this process works with; one entry an id, so that its runs meet in one queue. */
export interface OpenWorkspaces {
  /** The one with that id, made to an entry when this process sees it first; `undefined` where the runtime has none. */
  find(
    id: string,
    options?: CallOptions & { session?: SessionScope | undefined },
  ): Promise<OpenWorkspace | undefined>;
  /** For one that was just made here. */
  add(runtime: RuntimeWorkspace, session: SessionScope | undefined): OpenWorkspace;
  /** Runs the task with the workspace, which counts as used and busy meanwhile. @throws SkillError `WORKSPACE_NOT_FOUND`. */
  use<T>(id: string, options: CallOptions, task: (workspace: OpenWorkspace) => Promise<T>): Promise<T>;
  /** The stream; while it is read the workspace counts as busy. */
  busyWhile(workspace: OpenWorkspace, stream: ByteStream): ByteStream;
  /** Drops the entry, ends its run and gives what was dropped. */
  forget(id: string): OpenWorkspace | undefined;
  all(): readonly OpenWorkspace[];
}

export function openWorkspaces(runtime: WorkspaceRuntime, clock: Clock): OpenWorkspaces {
  const entries = new Map<string, OpenWorkspace>();

  async function find(
    id: string,
    { signal, session }: CallOptions & { session?: SessionScope | undefined } = {},
  ): Promise<OpenWorkspace | undefined> {
    if (!isWorkspaceId(id)) return undefined;
    const known = entries.get(id);
    const handle = await runtime.attach(id, { signal });
    if (!handle) {
      // One that was made while this looked is not what was missing.
      if (entries.get(id) === known) forget(id);
      return undefined;
    }
    const workspace = entryFor(handle, session);
    return session ? touched(workspace) : workspace;
  }

  function add(handle: RuntimeWorkspace, session: SessionScope | undefined): OpenWorkspace {
    return touched(entryFor(handle, session));
  }

  /** Of two that came at once the first stays: one id, one queue. */
  function entryFor(handle: RuntimeWorkspace, session: SessionScope | undefined): OpenWorkspace {
    const existing = entries.get(handle.id);
    if (existing && session) existing.info = { ...existing.info, session };
    if (existing) return existing;
    const createdAt = new Date(clock.now()).toISOString();
    const workspace: OpenWorkspace = {
      runtime: handle,
      info: { id: handle.id, createdAt, ...(session ? { session } : {}) },
      runs: serialQueue(),
      uploads: serialQueue(),
      leases: new Map(),
      ending: new AbortController(),
      busy: 0,
      lastUsedMs: undefined,
    };
    entries.set(handle.id, workspace);
    return workspace;
  }

  async function use<T>(
    id: string,
    { signal }: CallOptions,
    task: (workspace: OpenWorkspace) => Promise<T>,
  ): Promise<T> {
    const known = isWorkspaceId(id) ? entries.get(id) : undefined;
    const workspace = known ?? (await find(id, { signal }));
    if (!workspace) throw workspaceNotFound(id);
    workspace.busy++;
    try {
      return await task(touched(workspace));
    } catch (error) {
      if (SkillError.is(error, "WORKSPACE_NOT_FOUND") && entries.get(id) === workspace) forget(id);
      throw error;
    } finally {
      workspace.busy--;
      touched(workspace);
    }
  }

  async function* busyWhile(workspace: OpenWorkspace, stream: ByteStream): ByteStream {
    workspace.busy++;
    try {
      yield* stream;
    } finally {
      workspace.busy--;
      touched(workspace);
    }
  }

  function touched(workspace: OpenWorkspace): OpenWorkspace {
    workspace.lastUsedMs = clock.monotonic();
    return workspace;
  }

  function forget(id: string): OpenWorkspace | undefined {
    const workspace = entries.get(id);
    workspace?.ending.abort();
    entries.delete(id);
    return workspace;
  }

  return { find, add, use, busyWhile, forget, all: () => [...entries.values()] };
}

export function workspaceNotFound(id: unknown): SkillError {
  const shown = JSON.stringify(String(id).slice(0, 80));
  return new SkillError(
    "WORKSPACE_NOT_FOUND",
    `There is no workspace ${shown}. Make one with create() or forSession(); list() names those there are.`,
    { details: { workspaceId: String(id).slice(0, 80) } },
  );
}
