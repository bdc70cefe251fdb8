import type { CallOptions, Closable } from "../closable.js";

export interface WorkspaceRecord {
  readonly formatVersion: 1;
  readonly workspaceId: string;
  /** The owning session as `app/user/session`, each part URI-encoded. Missing for a workspace created manually. */
  readonly owner?: string;
  /** ISO 8601 time. */
  readonly createdAt: string;
  /** ISO 8601 time in whole milliseconds; updated by every use. */
  readonly lastUsedAt: string;
  /**
   * `paused`: it must be resumed before use. `destroying`: it must not be used; a process that finds this state without
   * a held lease must finish the removal. Missing: it can be used.
   */
  readonly state?: "paused" | "destroying";
  /**
   * Id of the lease held by the workspace's keeper, the process that destroys it on close, for as long as that process
   * lives. A process that finds this lease free must destroy the workspace. Missing for a workspace that outlives its
   * creator.
   */
  readonly keeper?: string;
}

export interface WorkspaceLease {
  readonly workspaceId: string;
  /** Increases with each holder, even after the record was removed, so that an outdated holder is recognised. */
  readonly token: number;
  /** Extends the lease to `forMs` from now. Returns `false` when another holder has or had it since. */
  renew(): Promise<boolean>;
  /** Frees the lease at once. Does nothing when it was lost or released before. */
  release(): Promise<void>;
}

/**
 * Records across processes which workspaces exist, who owns them, when they were last used and who works in them now.
 * Promises are verified by `testWorkspaceRegistry`. Ids have 1 to 64 letters, digits, `-` and `_`; others give
 * `INPUT_INVALID`.
 */
export interface WorkspaceRegistry extends Closable {
  /** Adds the record or replaces the one with that id. */
  put(record: WorkspaceRecord, options?: CallOptions): Promise<void>;
  /** @throws SkillError `WORKSPACE_DAMAGED` for a record that exists but cannot be read; `list` omits such records. */
  get(workspaceId: string, options?: CallOptions): Promise<WorkspaceRecord | undefined>;
  /**
   * Returns the owner's workspace; of several, the oldest, then the first by id, so that all callers get the same one.
   */
  findByOwner(owner: string, options?: CallOptions): Promise<WorkspaceRecord | undefined>;
  /** Sets `lastUsedAt` to now. Does nothing where there is no record. */
  touch(workspaceId: string, options?: CallOptions): Promise<void>;
  /** Returns `true` to exactly one of several callers and `false` to the others. Leases are not affected. */
  remove(workspaceId: string, options?: CallOptions): Promise<boolean>;
  /** Sorted by id. */
  list(options?: CallOptions): Promise<readonly WorkspaceRecord[]>;
  /**
   * Acquires the exclusive right to work in the workspace, for `forMs` milliseconds unless renewed. The record need not
   * exist. Where the end of a holder's process can be detected, its lease is free at once.
   * @throws SkillError `CONFLICT` when another holds it longer than `waitMs`, `ABORTED`; what `finish` throws.
   */
  lease(workspaceId: string, options: LeaseOptions): Promise<WorkspaceLease>;
}

export interface LeaseOptions extends CallOptions {
  /** Milliseconds until the lease expires, unless it is renewed. */
  readonly forMs: number;
  /** How many milliseconds to wait for another holder. Defaults to 0; `Infinity` is allowed. */
  readonly waitMs?: number | undefined;
  /** What the holder is about to do, for those who take over a lease that it did not release, such as the id of a run. */
  readonly note?: string | undefined;
  /**
   * Called with the note of a holder that ended or expired without releasing the lease; the lease is taken over once this has settled.
   * May be called for several waiting callers at once.
   */
  readonly finish?: ((note: string) => Promise<void>) | undefined;
}
