import type { SnapshotSink } from "../snapshot/take-snapshot.js";
import type { PolicyWorkspace } from "./policy-workspace.js";

/** Plain data, or a callback of the application. */
export type PolicyAction =
  | { readonly action: "destroy" }
  | { readonly action: "keep" }
  | { readonly action: "pause"; readonly otherwise: PolicyAction }
  | { readonly action: "archive"; readonly archive: WorkspaceArchive }
  | ((workspace: PolicyWorkspace) => void | Promise<void>);

/**
 * Saves the parts of a workspace that are worth keeping, reading them through its argument. Settles when they are
 * stored safely.
 */
export type WorkspaceArchive = (workspace: PolicyWorkspace) => Promise<void>;

/** Ends the workspace and removes its files. */
export function destroy(): PolicyAction {
  return { action: "destroy" };
}

/** Does nothing and skips all later policies. */
export function keep(): PolicyAction {
  return { action: "keep" };
}

/**
 * Pauses the workspace until its next use. Where the runtime cannot pause, a `policy.pause-unsupported` diagnostic is
 * emitted once and `otherwise` (default `keep`) is applied.
 */
export function pause({ otherwise = keep() }: { otherwise?: PolicyAction } = {}): PolicyAction {
  return { action: "pause", otherwise };
}

/**
 * Archives the workspace, then destroys it. The archive is a function that reads what it needs, or with `save` a
 * snapshot that `WorkspaceManager.restore` can bring back. If archiving fails, the workspace is kept and the action is
 * retried.
 */
export function archiveAndDestroy(archive: WorkspaceArchive | { save: SnapshotSink }): PolicyAction {
  if (typeof archive === "function") return { action: "archive", archive };
  const { save } = archive;
  return { action: "archive", archive: async ({ snapshot }) => void (await snapshot(save)) };
}
