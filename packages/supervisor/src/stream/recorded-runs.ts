import { SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { type OutputLog, outputLog } from "../output/output-log.js";
import { readReport } from "../record/run-report.js";
import { cutFollower, type Follower, type FollowOptions, followRecord } from "./follow-record.js";
import { type FollowedRunOptions, followedRun } from "./followed-run.js";
import type { RunRecord } from "./record-files.js";
import type { RunStream } from "./run-stream.js";
import { type NotStarted, type RecordedStart, type StartedRecord, startRecord } from "./start-record.js";

export interface RecordedRunsOptions
  extends Pick<FollowedRunOptions, "fate" | "wake" | "reached" | "signal" | "closed"> {
  /** Opens the connection to the supervisor, or returns the one that is open. */
  readonly open: () => Promise<RunStream>;
  /** Waits for the supervisor's answer, and may give up. */
  readonly waiting: <T>(answer: () => Promise<T>) => Promise<T>;
  /** Where the connection leads, for an error, such as `pod`. */
  readonly far: string;
}

/** A run's place: the directory of all attempts to start it, out of the commands' reach. */
export interface RunPlace {
  readonly directory: string;
  /** The name of the link in it that the supervisor of the one attempt creates whose command runs. */
  readonly claim: string;
}

/** Starts and finds recorded runs over a connection to their supervisor. */
export interface RecordedRuns {
  /**
   * Returns the run of the place, live or ended; `undefined` where there is none.
   * @throws SkillError `BACKEND_FAILED` when the connection ended first.
   */
  found(place: RunPlace): Promise<RunHandle | undefined>;
  /**
   * Starts the run of the place, or returns the one that exists where it is to be kept. Settles when the command runs.
   * Returns why it was not started. A run that cannot be reached is reached later, or has ended with its place. Where the
   * connection breaks before the supervisor answers, the start is tried once more, and one command runs.
   * @param stream Used while it is open, in place of another call of `open`.
   * @throws SkillError as `open`, `CONFLICT` for the place of another run, `BACKEND_FAILED` where nobody can know whether the command
   * was started, and whatever the source of the input throws.
   */
  start(place: RunPlace, start: RecordedStart, stream?: RunStream): Promise<RunHandle | NotStarted>;
}

/** The error number that the claim of another attempt gives. */
const EEXIST = 17;

export function recordedRuns({ open, waiting, far, ...options }: RecordedRunsOptions): RecordedRuns {
  const follow = async (place: FollowOptions) => followRecord(await open(), place);

  /** @param check Throws where the run is not the one that is looked for. */
  async function foundAs(
    { directory, claim }: RunPlace,
    {
      check,
      hasInput,
      unkept,
    }: { check?: (record: RunRecord, attempt: string) => void } & Pick<FollowOptions, "hasInput"> &
      Pick<FollowedRunOptions, "unkept">,
  ): Promise<RunHandle | undefined> {
    let known: { record: RunRecord; log: OutputLog } | undefined;
    // In its first scan, a follower sends the record before any output.
    const heard = () => {
      const text = first.received.text("run.json");
      if (!known && text !== "") known = withLog(JSON.parse(text));
      return known;
    };
    const to: Pick<FollowOptions, "onPiece" | "mostWaiting"> = {
      onPiece: (piece) => heard()?.log.add(piece),
      mostWaiting: () => known && mostWaitingOf(known.record),
    };
    const first = await follow({ directory, claim, hasInput, ...to });
    try {
      if (!(await waiting(() => heardOf(first, far)))) return undefined;
      const { record, log } = heard() as NonNullable<typeof known>;
      check?.(record, `${directory}/${first.received.attempt()}`);
      const attempt = { directory: `${directory}/${first.received.attempt()}`, hasInput, ...to };
      return followedRun({ ...options, first, log, record, unkept, again: () => follow(attempt) });
    } catch (error) {
      first.close();
      throw error;
    }
  }

  const start: RecordedRuns["start"] = async (place, request, given) => {
    const { record, hasInput } = request;
    const { isKept } = record;
    const log = logOf(record);
    const { stream, attempts } = await answered(place, request, given);
    const { directory, answer, ended } = attempts.at(-1) as StartedRecord;
    if (
      answer === undefined ||
      (answer !== "started" && answer.step === "claim" && answer.errno === EEXIST)
    ) {
      const other = await foundAs(place, {
        ...{ hasInput, unkept: isKept ? undefined : { ended } },
        check: (known, attempt) => {
          const isOwn = attempts.some(({ directory }) => directory === attempt);
          if (!isOwn && !(isKept && known.isKept)) throw runExists(record.runId);
        },
      });
      if (other) return other;
    }
    if (answer !== "started") return answer ?? { said: "" };
    const mostWaiting = () => mostWaitingOf(record);
    const attempt = { directory, hasInput, onPiece: log.add, mostWaiting };
    const first = stream.isOpen() ? followRecord(stream, attempt) : cutFollower();
    // A start without an answer is followed like one that worked: its record tells more.
    const failed = await waiting(() => outcomeOfStart(first)).catch(() => undefined);
    if (failed) {
      first.tell("taken");
      first.close();
      return failed;
    }
    const unkept = isKept ? undefined : { ended };
    return followedRun({ ...options, first, log, record, unkept, again: () => follow(attempt) });
  };

  /** Starts a run, twice if the connection breaks. The last attempt was answered, or its supervisor ended without an answer. */
  async function answered(
    place: RunPlace,
    request: RecordedStart,
    given: RunStream | undefined,
  ): Promise<{ stream: RunStream; attempts: readonly StartedRecord[] }> {
    const { runId, isKept, leaseMs } = request.record;
    const begunMs = performance.now();
    let stream = given?.isOpen() ? given : await open();
    const first = await startRecord(stream, place, request, waiting);
    if (first.answer || (await first.ended)) return { stream, attempts: [first] };
    // The connection broke. Of two attempts with one claim exactly one starts the command.
    try {
      stream = await open();
      // After the lease, an unkept record is removed with its claim: a second attempt would run the command again.
      if (!isKept && performance.now() - begunMs > leaseMs / 2) throw unknownStart(runId, far);
      const second = await startRecord(stream, place, request, waiting);
      if (second.answer || (await second.ended)) return { stream, attempts: [first, second] };
    } catch (error) {
      throw SkillError.is(error, "ABORTED") ? error : unknownStart(runId, far, error);
    }
    throw unknownStart(runId, far);
  }

  return { found: async (place) => await foundAs(place, {}), start };
}

function withLog(record: RunRecord): { record: RunRecord; log: OutputLog } {
  return { record, log: logOf(record) };
}

function logOf(record: RunRecord): OutputLog {
  return outputLog({ limit: record.maxOutputBytes, liveBytes: recordedBytes(record) });
}

/** Between two scans, a follower sends at most one whole record, unless its connection is slower than the output. */
function mostWaitingOf(record: RunRecord): number {
  return 2 * recordedBytes(record);
}

/** The most output that a record has at one time. */
function recordedBytes({ maxOutputBytes, keptBytes = maxOutputBytes }: RunRecord): number {
  return MOST_OF_RECORD * Math.max(keptBytes, LEAST_KEPT);
}

function unknownStart(runId: string, far: string, cause?: unknown): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `It is unknown whether the command of the run ${runId} was started: the connection to the ${far} broke before the answer came. Look for the run with runOf, or at its outputs, before you start it again.`,
    { details: { runId }, cause },
  );
}

export function runExists(runId: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `A run with the id ${runId} is in progress in this workspace, or is kept. Choose another id.`,
    { details: { runId } },
  );
}

/**
 * A record keeps of each stream its first segment and the last two, each of half the bytes that it keeps for certain, and at
 * least 4096.
 */
const LEAST_KEPT = 8192;
const MOST_OF_RECORD = 3;

/** False where there is no such run. */
async function heardOf(follower: Follower, far: string): Promise<boolean> {
  const { received } = follower;
  while (!received.isNone() && !received.isOver() && received.text("run.json") === "" && !follower.isCut())
    await follower.next();
  if (received.isNone()) return false;
  if (received.text("run.json") !== "") return true;
  throw new SkillError(
    "BACKEND_FAILED",
    `The connection to the ${far} ended while the record of a run was read. Try again.`,
  );
}

/** Waits until the command runs, or will not. */
async function outcomeOfStart(follower: Follower): Promise<NotStarted | undefined> {
  const report = () => follower.received.text("report");
  while (!follower.isCut() && !/^(begun|failed .*|gone)\n/m.test(report())) await follower.next();
  const { begun, failed } = readReport(report());
  return begun || !failed ? undefined : { ...failed, said: "" };
}
