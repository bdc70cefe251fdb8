import type { CallOptions, Closable } from "../closable.js";

export interface WorkspaceRecord {
  readonly formatVersion: 1;
  readonly workspaceId: string;
  /** The session it belongs to, as `app/user/session`, each part URI-encoded; missing for one made by hand. */
  readonly owner?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; renewed by every use. */
  readonly lastUsedAt: string;
}

export interface WorkspaceLease {
  readonly workspaceId: string;
  /** Rises with each holder, so that a late one is recognised. */
  readonly token: number;
  /** Prolongs it; `false` when it was lost meanwhile. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Who owns which workspace, when it was last used, and who works in it now: across processes. */
export interface WorkspaceRegistry extends Closable {
  put(record: WorkspaceRecord, options?: CallOptions): Promise<void>;
  get(workspaceId: string, options?: CallOptions): Promise<WorkspaceRecord | undefined>;
  /** The workspace of that owner; where two were registered at once, all callers get the same one. */
  findByOwner(owner: string, options?: CallOptions): Promise<WorkspaceRecord | undefined>;
  touch(workspaceId: string, options?: CallOptions): Promise<void>;
  remove(workspaceId: string, options?: CallOptions): Promise<boolean>;
  list(options?: CallOptions): Promise<readonly WorkspaceRecord[]>;
  /**
   * The right to work in the workspace alone, for `forMs` milliseconds unless renewed.
   * @throws SkillError `CONFLICT` when another holds it longer than `waitMs` (default 0), `ABORTED`.
   */
  lease(
    workspaceId: string,
    options: CallOptions & { forMs: number; waitMs?: number },
  ): Promise<WorkspaceLease>;
}
