import type { Diagnostic } from "@skillwright/core";
import type { IsolationInForce } from "../isolation/isolation-in-force.js";
import type { Mount } from "../isolation/mount.js";
import type { SkillCopies } from "../isolation/skill-copies.js";
import type { UnmeasuredTime, WatchedRuns } from "../limits/measured-usage.js";
import type { LimitMeans, LimitPlan } from "../limits/plan-limits.js";
import type { OwnServer } from "../served/own-server.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";
import type { LiveRuns } from "./live-runs.js";

/** How commands are started; the same for all workspaces of a runtime. */
export interface RunMeans {
  readonly inForce: IsolationInForce;
  /** The diagnostics of every run. */
  readonly told: readonly Diagnostic[];
  readonly limits: LimitMeans;
  /** The plan of a run that sets no limits. @throws SkillError `INPUT_INVALID` for a default that is no limit. */
  readonly defaultPlan: () => LimitPlan;
  readonly skillCopies: SkillCopies;
  /** Starts runs, where there is a supervisor. */
  readonly server: OwnServer | undefined;
  readonly live: LiveRuns;
  readonly watched: WatchedRuns;
  /** How long a run goes on when no process renews its lease. */
  readonly leaseMs: number;
  /** Aborted when the runtime is closed. */
  readonly closed: AbortSignal;
}

/** The workspace a command runs in. */
export interface RunPlace {
  readonly id: string;
  /** Absolute path, as commands see it. */
  readonly root: string;
  readonly paths: WorkspacePaths;
  /** The mounts of a sandbox that all runs have. */
  readonly mounts: readonly Mount[];
  readonly unmeasured: UnmeasuredTime;
  readonly watched: WatchedRuns;
  /** @throws SkillError `WORKSPACE_NOT_FOUND`, `CLOSED`. */
  readonly record: () => LocalWorkspaceRecord;
}
