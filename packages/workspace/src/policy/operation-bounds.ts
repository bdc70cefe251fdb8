import { SkillError, untilAborted } from "@skillwright/core";
import { SNAPSHOT_LIMITS } from "../snapshot/snapshot-limits.js";
import { byteSize } from "./byte-size.js";
import { durationMs } from "./duration-ms.js";

/** What one operation of a policy may take on one workspace. */
export interface PolicyLimits {
  /** How long the operation is waited for, an application's function included. Default `"10m"`. */
  readonly timeout?: string | number | undefined;
  /** Files of one snapshot. Default 100,000, as many as `restore` takes by default. */
  readonly files?: number | undefined;
  /** Bytes of one snapshot, and of all downloads of one operation, such as `"4GiB"`, the default. Holes count as bytes. */
  readonly bytes?: string | number | undefined;
}

/** How long operations in progress may go on when everything is closed. */
const CLOSING_MS = 10_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One operation in progress. */
export interface Operation {
  /** Fires when the time is over, or soon after everything was closed. */
  readonly signal: AbortSignal;
  /** The outcome, unless the signal fires before. @throws SkillError `ABORTED`. */
  until<T>(work: T | Promise<T>): Promise<T>;
}

interface BegunOperation<T> {
  /** Rejects with `LIMIT_EXCEEDED` when the time is over, with `CLOSED` when everything was closed. */
  readonly outcome: Promise<T>;
  /** Settles when all that `until` was given has settled, which may be never; does not reject. */
  readonly left: Promise<void>;
}

/** The bounds of all operations of one manager. */
export interface OperationBounds {
  readonly files: number;
  readonly bytes: number;
  begin<T>(task: (operation: Operation) => Promise<T>): BegunOperation<T>;
  /** Ends operations in progress some time after this, at most 10 seconds. */
  close(): void;
}

/** @throws SkillError `CONFIG_INVALID` for what is no duration, count or size. */
export function operationBounds({ timeout = "10m", files, bytes }: PolicyLimits = {}): OperationBounds {
  const timeoutMs = Math.min(durationMs(timeout), LONGEST_TIMER_MS);
  const limits = { files: files ?? SNAPSHOT_LIMITS.files, bytes: byteSize(bytes ?? SNAPSHOT_LIMITS.bytes) };
  if (!Number.isSafeInteger(limits.files) || limits.files < 0)
    throw new SkillError(
      "CONFIG_INVALID",
      `${limits.files} is no limit of files for policies. Give a whole number.`,
    );
  const closing = new AbortController();

  function begin<T>(task: (operation: Operation) => Promise<T>): BegunOperation<T> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), timeoutMs).unref();
    const signal = AbortSignal.any([over.signal, closing.signal]);
    const given: Promise<unknown>[] = [];
    const until = <V>(work: V | Promise<V>): Promise<V> => {
      const begun = Promise.resolve(work);
      given.push(begun);
      return untilAborted(begun, signal);
    };
    const outcome = until(task({ signal, until }))
      .catch((error: unknown) => {
        if (!signal.aborted || !SkillError.is(error, "ABORTED")) throw error;
        throw over.signal.aborted ? overtime(timeoutMs) : closed();
      })
      .finally(() => clearTimeout(timer));
    const left = outcome.then(
      () => undefined,
      async () => void (await Promise.allSettled(given)),
    );
    return { outcome, left };
  }

  return { ...limits, begin, close: () => void setTimeout(() => closing.abort(), CLOSING_MS).unref() };
}

function overtime(timeoutMs: number): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `It did not end within ${timeoutMs} ms and is not waited for any longer. Raise the timeout of policyLimits, or see ` +
      "why it hangs.",
    { details: { timeoutMs } },
  );
}

function closed(): SkillError {
  return new SkillError("CLOSED", "It had not ended when the workspaces were closed, and is not waited for.");
}
