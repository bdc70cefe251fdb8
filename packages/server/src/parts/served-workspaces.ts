import type {
  ArtifactStore,
  CallOptions,
  Diagnostic,
  SessionScope,
  SkillCatalog,
  WorkspaceRegistry,
  WorkspaceRuntime,
} from "@skillwright/core";
import { pause, policy, type WorkspaceManager, workspaceManager } from "@skillwright/workspace";

/** A workspace as its user sees it. */
export interface ServedWorkspace {
  readonly id: string;
  readonly conversation: string;
  readonly state: "ready" | "paused" | "destroying";
  /** ISO 8601 time. */
  readonly createdAt: string;
  /** ISO 8601 time. */
  readonly lastUsedAt: string;
}

/** The workspaces of all conversations. */
export interface ServedWorkspaces {
  readonly manager: WorkspaceManager;
  /** The id of the conversation's workspace, if it has one. */
  find(scope: SessionScope, options?: CallOptions): Promise<string | undefined>;
  /** Those of the user, oldest first. */
  list(owner: Pick<SessionScope, "app" | "user">, options?: CallOptions): Promise<readonly ServedWorkspace[]>;
  /** Pauses the workspace until its next use, where the runtime can. Returns whether it is paused. */
  pause(id: string, options?: CallOptions): Promise<boolean>;
  /** Destroys the conversation's workspace, also if an earlier attempt to destroy it failed. */
  destroy(scope: SessionScope): Promise<void>;
  /** Destroys the workspaces of these conversations. */
  destroyOf(scopes: readonly SessionScope[]): Promise<void>;
  close(): Promise<void>;
}

export function servedWorkspaces(parts: {
  readonly skills: SkillCatalog;
  readonly runtime: WorkspaceRuntime;
  readonly registry: WorkspaceRegistry;
  readonly artifacts: ArtifactStore;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}): ServedWorkspaces {
  const { registry } = parts;
  const toPause = new Set<string>();
  const manager = workspaceManager({
    ...parts,
    onDiagnostic: (one) =>
      parts.onDiagnostic(one.code === "policy.pause-unsupported" ? notPausable(parts.runtime.label) : one),
    policies: [policy({ when: ({ id }) => toPause.has(id), do: pause() })],
  });

  async function find(scope: SessionScope, options?: CallOptions): Promise<string | undefined> {
    const found = await registry.findByOwner(ownerOf(scope), options);
    return found?.state === "destroying" ? undefined : found?.workspaceId;
  }

  return {
    manager,
    find,
    list: async ({ app, user }, options) => {
      const prefix = `${encodeURIComponent(app)}/${encodeURIComponent(user)}/`;
      const records = await registry.list(options);
      return records
        .flatMap((record): ServedWorkspace[] => {
          const { owner, workspaceId: id, createdAt, lastUsedAt, state = "ready" } = record;
          if (!owner?.startsWith(prefix)) return [];
          const conversation = decodeURIComponent(owner.slice(prefix.length));
          return [{ id, conversation, state, createdAt, lastUsedAt }];
        })
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
    },
    pause: async (id, options) => {
      toPause.add(id);
      try {
        await manager.sweep(options);
      } finally {
        toPause.delete(id);
      }
      return (await registry.get(id, options))?.state === "paused";
    },
    destroy: async (scope) => {
      const found = await registry.findByOwner(ownerOf(scope));
      if (found) await manager.destroy(found.workspaceId);
    },
    destroyOf: async (scopes) => {
      const owners = new Set(scopes.map(ownerOf));
      // One list for all owners: `findByOwner` may read all records each time.
      const records = scopes.length > 0 ? await registry.list() : [];
      const own = records.filter(({ owner = "", state }) => owners.has(owner) && state !== "destroying");
      for (const { workspaceId } of own) await manager.destroy(workspaceId);
    },
    close: () => manager.close(),
  };
}

/** The server pauses a workspace with a policy of its own, which the operator has not set. */
function notPausable(label: string): Diagnostic {
  return {
    code: "workspace.pause-unsupported",
    severity: "info",
    message: `A workspace was not paused, which the runtime "${label}" does not support.`,
    hint: "Destroy workspaces that are not needed, or use a runtime that pauses them, such as Docker.",
  };
}

/** As `WorkspaceRecord.owner` has it. */
function ownerOf({ app, user, session }: SessionScope): string {
  return [app, user, session].map(encodeURIComponent).join("/");
}
