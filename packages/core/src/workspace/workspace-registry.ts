import type { CallOptions, Closable } from "../closable.js";
import { SkillError } from "../skill-error.js";

export interface WorkspaceRecord {
  readonly formatVersion: 1;
  readonly workspaceId: string;
  /** The session it belongs to, as `app/user/session`, each part URI-encoded; missing for one made by hand. */
  readonly owner?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601, whole milliseconds; renewed by every use. */
  readonly lastUsedAt: string;
  /**
   * `paused`: it sleeps and has to be resumed before use. `destroying`: nobody may use it any more, and whoever finds it
   * so without its lease being held has to finish what was begun. Missing: it can be used.
   */
  readonly state?: "paused" | "destroying";
  /**
   * The id under which its keeper holds a lease as long as it lives, a process that destroys it when it closes. Whoever
   * finds that lease free has to destroy the workspace. Missing for one that outlives its maker.
   */
  readonly keeper?: string;
}

export interface WorkspaceLease {
  readonly workspaceId: string;
  /** Rises with each holder, also after the record was removed, so that a late one is recognised. */
  readonly token: number;
  /** Prolongs it by `forMs` from now; `false` when somebody else has or had it meanwhile. */
  renew(): Promise<boolean>;
  /** Lets the next one in at once. Nothing happens when it was lost or released before. */
  release(): Promise<void>;
}

/**
 * Who owns which workspace, when it was last used, and who works in it now: across processes. Promises are held by
 * `testWorkspaceRegistry`. Ids are 1 to 64 letters, digits, `-` and `_`; `INPUT_INVALID` for others.
 */
export interface WorkspaceRegistry extends Closable {
  /** Adds the record, or replaces the one of that id. */
  put(record: WorkspaceRecord, options?: CallOptions): Promise<void>;
  /** @throws SkillError `WORKSPACE_DAMAGED` for a record that is there and cannot be read; `list` goes without it. */
  get(workspaceId: string, options?: CallOptions): Promise<WorkspaceRecord | undefined>;
  /** The workspace of that owner; of several the oldest, then the first by id, so that all callers get the same one. */
  findByOwner(owner: string, options?: CallOptions): Promise<WorkspaceRecord | undefined>;
  /** Sets `lastUsedAt` to now; nothing happens where there is no record. */
  touch(workspaceId: string, options?: CallOptions): Promise<void>;
  /** `true` for one of many callers, then `false`. Leases stay as they are. */
  remove(workspaceId: string, options?: CallOptions): Promise<boolean>;
  /** Sorted by id. */
  list(options?: CallOptions): Promise<readonly WorkspaceRecord[]>;
  /**
   * The right to work in the workspace alone, for `forMs` milliseconds unless renewed. There need be no record. Where it
   * can be known that a holder's process has ended, its lease is free at once.
   * @param options.waitMs How long to wait for another holder; default 0, `Infinity` allowed.
   * @throws SkillError `CONFLICT` when another holds it longer than `waitMs`, `ABORTED`.
   */
  lease(
    workspaceId: string,
    options: CallOptions & { forMs: number; waitMs?: number },
  ): Promise<WorkspaceLease>;
}

/** @throws SkillError `INPUT_INVALID` for what cannot be a workspace's id. */
export function checkWorkspaceId(workspaceId: string): string {
  if (typeof workspaceId === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(workspaceId)) return workspaceId;
  const shown = JSON.stringify(String(workspaceId).slice(0, 80));
  throw new SkillError(
    "INPUT_INVALID",
    `${shown} cannot be a workspace's id: it must be 1 to 64 letters, digits, - and _.`,
    { details: { workspaceId: String(workspaceId).slice(0, 80) } },
  );
}
