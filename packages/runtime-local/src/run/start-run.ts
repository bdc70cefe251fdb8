import type { CallOptions } from "@skillwright/core";
import type { RunCommand, RunHandle } from "@skillwright/core/adapter";
import type { IsolationInForce } from "../isolation/isolation-in-force.js";
import type { SkillCopies } from "../isolation/skill-copies.js";
import type { UnmeasuredTime, WatchedRuns } from "../limits/measured-usage.js";
import type { LimitMeans } from "../limits/plan-limits.js";
import { startRecorded } from "../recorded/start-recorded.js";
import type { OwnServer } from "../served/own-server.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";
import type { LiveRuns } from "./live-runs.js";
import { startUnsupervised } from "./start-unsupervised.js";

/** How commands are started; the same for all workspaces of a runtime. */
export interface RunMeans {
  readonly inForce: IsolationInForce;
  readonly limits: LimitMeans;
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
  readonly unmeasured: UnmeasuredTime;
  readonly watched: WatchedRuns;
  /** @throws SkillError `WORKSPACE_NOT_FOUND`, `CLOSED`. */
  readonly record: () => LocalWorkspaceRecord;
}

/** Validates everything first. Once the command runs, all further problems are in its result. */
export async function startRun(
  place: RunPlace,
  command: RunCommand,
  { means, signal }: CallOptions & { means: RunMeans },
): Promise<RunHandle> {
  const { server } = means;
  return server
    ? await startRecorded(place, command, { means: { ...means, server }, signal })
    : await startUnsupervised(place, command, { means, signal });
}
