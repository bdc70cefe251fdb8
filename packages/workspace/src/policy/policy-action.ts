import type { SnapshotSink } from "../snapshot/take-snapshot.js";
import type { PolicyWorkspace } from "./policy-workspace.js";

/** Plain data, or a function that is called back. */
export type PolicyAction =
  | { readonly action: "destroy" }
  | { readonly action: "keep" }
  | { readonly action: "pause"; readonly otherwise: PolicyAction }
  | { readonly action: "archive"; readonly archive: WorkspaceArchive }
  | ((workspace: PolicyWorkspace) => void | Promise<void>);

/** Saves what is to be saved of a workspace, which it reads by what it is given. Settles when all is safe. */
export type WorkspaceArchive = (workspace: PolicyWorkspace) => Promise<void>;

/** Ends it and removes its files. */
export function destroy(): PolicyAction {
  return { action: "destroy" };
}

/** Nothing, and no policy behind this one is asked. */
export function keep(): PolicyAction {
  return { action: "keep" };
}

/**
 * Puts it to sleep until it is next used. Where the runtime cannot, a `policy.pause-unsupported` diagnostic says so once
 * and the other action is taken; default `keep`.
 */
export function pause({ otherwise = keep() }: { otherwise?: PolicyAction } = {}): PolicyAction {
  return { action: "pause", otherwise };
}

/**
 * Archives it, then destroys it: by a function that reads what it wants, or with `save` as a snapshot that
 * `WorkspaceManager.restore` brings back. An archive that fails leaves the workspace as it is, to be tried again.
 */
export function archiveAndDestroy(archive: WorkspaceArchive | { save: SnapshotSink }): PolicyAction {
  if (typeof archive === "function") return { action: "archive", archive };
  const { save } = archive;
  return { action: "archive", archive: async ({ snapshot }) => void (await snapshot(save)) };
}
