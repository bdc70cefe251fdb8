import type {
  ArtifactStore,
  ContentStore,
  Diagnostic,
  RunLimits,
  SkillCatalog,
  WorkspaceRegistry,
  WorkspaceRuntime,
} from "@skillwright/core";
import type { RunEventLimits } from "@skillwright/core/adapter";
import type { BootstrapCache } from "./bootstrap/bootstrap-cache.js";
import type { BootstrapSteps } from "./bootstrap/bootstrap-step.js";
import type { Clock } from "./clock.js";
import type { EnvironmentStore } from "./environment/environment-store.js";
import type { PolicyLimits } from "./policy/operation-bounds.js";
import type { WorkspacePolicy } from "./policy/workspace-policy.js";
import type { SkillEnvironment } from "./run/run-rules.js";

export interface WorkspaceManagerOptions {
  readonly skills: SkillCatalog;
  readonly runtime: WorkspaceRuntime;
  /** Where outputs are saved and `artifact://` inputs are read from. Without it, both are reported as unsupported. */
  readonly artifacts?: ArtifactStore | undefined;
  /**
   * Where the runtime supports it, skills are staged from this store's directories. Without a store their files are
   * streamed.
   */
  readonly content?: ContentStore | undefined;
  /**
   * State of workspaces shared by several processes: owner, last use, current user. Every process on the same runtime
   * needs the same registry. Defaults to the runtime's own registry, which the local runtime has; without one,
   * processes do not coordinate.
   */
  readonly registry?: WorkspaceRegistry | undefined;
  /** When and how workspaces are paused, archived or destroyed; evaluated in order. Defaults to none. */
  readonly policies?: readonly WorkspacePolicy[] | undefined;
  /** How often conditions that are not about time are checked. Defaults to "60s". */
  readonly policyInterval?: string | number | undefined;
  /**
   * Limits of a policy's operation on one workspace. A sweep and the destruction at `close` use its timeout as well.
   * Defaults to 10 minutes, 100,000 files and 4 GiB.
   */
  readonly policyLimits?: PolicyLimits | undefined;
  /** Absolute folders of this machine from which `host://` inputs may be read. Defaults to none. */
  readonly hostInputRoots?: readonly string[] | undefined;
  /** Allows runs to request the network. Defaults to false: a run that requests it is refused. */
  readonly allowNetwork?: boolean | undefined;
  /** Limits for runs that set none of their own. Defaults to the runtime's. */
  readonly limits?: RunLimits | undefined;
  /** How much of a run's output its listener hears, for runs that set no `eventLimits` of their own. */
  readonly eventLimits?: RunEventLimits | undefined;
  /** Variables for a skill's commands; those of the call override them. Defaults to none. */
  readonly environment?: SkillEnvironment | undefined;
  /**
   * Steps that prepare a workspace before commands run in it, such as installing packages; each is applied once per
   * workspace. Defaults to none.
   */
  readonly bootstrap?: BootstrapSteps | undefined;
  /** Stores results of bootstrap steps for other workspaces. Defaults to none: every workspace runs the commands. */
  readonly bootstrapCache?: BootstrapCache | undefined;
  /**
   * Prepares the packages that a skill locks, once per machine, before its first run here, if `approveInstall` of the
   * run allows it. "auto" keeps them in `environmentStore()`. Defaults to none: nothing is installed.
   */
  readonly environments?: "auto" | EnvironmentStore | undefined;
  readonly clock?: Clock | undefined;
  /**
   * Destroys the workspaces that this manager created when it is closed. Defaults to false: workspaces outlive the
   * process. With a registry, the workspaces of a killed process are destroyed by the next sweep of another one.
   */
  readonly destroyOnClose?: boolean | undefined;
  /** Receives problems that no caller waits for: in policies, and in event listeners. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}
