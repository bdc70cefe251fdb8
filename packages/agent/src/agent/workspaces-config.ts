import type { RunLimits } from "@skillwright/core";
import type { BootstrapStep, PolicyLimits } from "@skillwright/workspace";

/** How an agent keeps its workspaces and what runs in them may use. */
export interface WorkspacesConfig {
  /** Evaluated in order, those of the configuration before those of `dependencies.workspaces`. Defaults to none. */
  readonly policies?: readonly PolicyConfig[] | undefined;
  /** How often conditions that are not about time are checked. Defaults to "60s". */
  readonly policyInterval?: string | number | undefined;
  /** Limits of a policy's operation on one workspace. Defaults to 10 minutes, 100,000 files and 4 GiB. */
  readonly policyLimits?: PolicyLimits | undefined;
  /**
   * Absolute folder with the records of workspaces, shared by all agents that use the same ones. Defaults to the
   * runtime's own registry. `dependencies.registry` replaces it.
   */
  readonly registry?: string | undefined;
  /** Absolute folders of this machine from which `host://` inputs may be read. Defaults to none. */
  readonly hostInputRoots?: readonly string[] | undefined;
  /** Allows runs to request the network. Defaults to false. */
  readonly allowNetwork?: boolean | undefined;
  /** Limits of every run. Defaults to the runtime's. */
  readonly limits?: RunLimits | undefined;
  /** Steps that prepare each workspace. Defaults to none. */
  readonly bootstrap?: readonly BootstrapStep[] | undefined;
  /**
   * Prepares the packages that skills lock, after an approval that lists them: "auto" in the user's cache directory, or
   * in the absolute folder `root` with at most `maxBytes` (4 GiB by default). `dependencies.workspaces` replaces it.
   * Defaults to none.
   */
  readonly environments?:
    | "auto"
    | "none"
    | { readonly root?: string | undefined; readonly maxBytes?: number | undefined }
    | undefined;
}

/** When something is done with a workspace, and what: `{ when: { idleFor: "15m" }, do: "destroy" }`. */
export interface PolicyConfig {
  /** Exactly one condition. */
  readonly when:
    | { readonly idleFor: string | number }
    | { readonly olderThan: string | number }
    | { readonly largerThan: string | number }
    | { readonly moreThan: number };
  readonly do: "destroy" | "pause" | "keep";
}
