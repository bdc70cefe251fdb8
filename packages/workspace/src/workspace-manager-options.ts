import type {
  ArtifactStore,
  Clock,
  ContentStore,
  Diagnostic,
  RunEventLimits,
  RunLimits,
  SkillCatalog,
  WorkspaceRegistry,
  WorkspaceRuntime,
} from "@skillwright/core";
import type { BootstrapCache } from "./bootstrap/bootstrap-cache.js";
import type { BootstrapSteps } from "./bootstrap/bootstrap-step.js";
import type { PolicyLimits } from "./policy/operation-bounds.js";
import type { WorkspacePolicy } from "./policy/workspace-policy.js";
import type { SkillEnvironment } from "./run/run-rules.js";

export interface WorkspaceManagerOptions {
  readonly skills: SkillCatalog;
  readonly runtime: WorkspaceRuntime;
  /** Where outputs are saved and `artifact://` inputs come from; without it both say so. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Skills are staged from its directories where the runtime can use them; without it their files are streamed. */
  readonly content?: ContentStore | undefined;
  /**
   * What several processes know of their workspaces together: owner, last use, who works in one now. Every process over the
   * same runtime needs the same one. By default the runtime's own, which the local one has; where there is none each
   * process is on its own.
   */
  readonly registry?: WorkspaceRegistry | undefined;
  /** What happens to workspaces, and when; asked in their order. None by default. */
  readonly policies?: readonly WorkspacePolicy[] | undefined;
  /** How often conditions are looked at that are not about time. Default "60s". */
  readonly policyInterval?: string | number | undefined;
  /**
   * What a policy's operation may take on one workspace; a sweep and the destruction at `close` keep to its time as well.
   * By default 10 minutes, 100,000 files and 4 GiB.
   */
  readonly policyLimits?: PolicyLimits | undefined;
  /** Absolute folders of this machine that `host://` inputs may come from. None by default. */
  readonly hostInputRoots?: readonly string[] | undefined;
  /** A run may ask for the network. False by default: a run that asks for it is refused. */
  readonly allowNetwork?: boolean | undefined;
  /** In force for runs that set no limits of their own. By default those that the runtime has for such runs. */
  readonly limits?: RunLimits | undefined;
  /** How much of a run's output its listener hears, for runs that set no `eventLimits` of their own. */
  readonly eventLimits?: RunEventLimits | undefined;
  /** Variables for a skill's commands, which those of the call override. None by default. */
  readonly environment?: SkillEnvironment | undefined;
  /** What is made ready in a workspace before commands run there, such as packages, once for each. Nothing by default. */
  readonly bootstrap?: BootstrapSteps | undefined;
  /** Keeps what bootstrap steps made for other workspaces. None by default: every workspace runs their commands. */
  readonly bootstrapCache?: BootstrapCache | undefined;
  readonly clock?: Clock | undefined;
  /**
   * Destroy what this manager made when it is closed. False by default: workspaces outlive the process. With a registry
   * what a killed process left is destroyed by the next sweep of another one.
   */
  readonly destroyOnClose?: boolean | undefined;
  /** Hears what goes wrong where no caller waits: in policies, and in listeners of events. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}
