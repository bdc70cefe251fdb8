import { SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { cutFollower, type Follower, followRecord } from "./follow-record.js";
import { type FollowedRunOptions, followedRun } from "./followed-run.js";
import type { RunRecord } from "./record-files.js";
import type { RunStream } from "./run-stream.js";

export interface RecordedRunsOptions
  extends Pick<FollowedRunOptions, "fate" | "reached" | "signal" | "closed"> {
  /** Opens the connection to the supervisor, or returns the one that is open. */
  readonly open: () => Promise<RunStream>;
  /** Waits for the first news of a record, and may give up. */
  readonly waiting: <T>(news: () => Promise<T>) => Promise<T>;
  /** Where the connection leads, for an error, such as `pod`. */
  readonly far: string;
}

/** Finds recorded runs over a connection to their supervisor. */
export interface RecordedRuns {
  /**
   * Returns the run, live or ended, that the link `claim` in the directory names; `undefined` where there is none.
   * @throws SkillError `BACKEND_FAILED` when the connection ended first.
   */
  claimed(directory: string, claim: string): Promise<RunHandle | undefined>;
  /**
   * Returns the run in the directory, which the supervisor said it has started. A run that cannot be reached is reached
   * later, or has ended with its place.
   */
  started(directory: string, record: RunRecord): Promise<RunHandle>;
}

export function recordedRuns({ open, waiting, far, ...options }: RecordedRunsOptions): RecordedRuns {
  const follow = async (place: Parameters<typeof followRecord>[1]) => followRecord(await open(), place);
  const followed = (directory: string, record: RunRecord, first: Follower) =>
    followedRun({ ...options, first, record, again: () => follow({ directory }) });

  return {
    claimed: async (directory, claim) => {
      const first = await follow({ directory, claim });
      const isThere = await waiting(() => heardOf(first, far)).catch((error: unknown) => {
        first.close();
        throw error;
      });
      if (!isThere) return undefined;
      return followed(`${directory}/${first.told.attempt()}`, JSON.parse(first.told.text("run.json")), first);
    },
    started: async (directory, record) =>
      followed(directory, record, await follow({ directory }).catch(cutFollower)),
  };
}

/** False where there is no such run. */
async function heardOf(follower: Follower, far: string): Promise<boolean> {
  const { told } = follower;
  while (!told.isNone() && !told.isOver() && told.text("run.json") === "" && !follower.isCut())
    await follower.next();
  if (told.isNone()) return false;
  if (told.text("run.json") !== "") return true;
  throw new SkillError(
    "BACKEND_FAILED",
    `The connection to the ${far} ended while the record of a run with a key was read. Try again.`,
  );
}
