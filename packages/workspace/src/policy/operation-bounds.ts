import { SkillError } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import { SNAPSHOT_LIMITS } from "../snapshot/snapshot-limits.js";
import { byteSize } from "./byte-size.js";
import { durationMs } from "./duration-ms.js";

/** Limits of one policy operation on one workspace. */
export interface PolicyLimits {
  /** Timeout of the operation, including functions of the application. Defaults to `"10m"`. */
  readonly timeout?: string | number | undefined;
  /** Maximum number of files in one snapshot. Defaults to 100,000, the default limit of `restore`. */
  readonly files?: number | undefined;
  /**
   * Maximum bytes of one snapshot, and of all downloads of one operation. Defaults to `"4GiB"`. Holes in sparse files
   * count.
   */
  readonly bytes?: string | number | undefined;
}

/** How long operations in progress may continue after close. */
const CLOSING_MS = 10_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One operation in progress. */
export interface Operation {
  /** Fires at the timeout, or soon after close. */
  readonly signal: AbortSignal;
  /** Returns the outcome, unless the signal fires first. @throws SkillError `ABORTED`. */
  until<T>(work: T | Promise<T>): Promise<T>;
}

interface BegunOperation<T> {
  /** Rejects with `LIMIT_EXCEEDED` at the timeout, and with `CLOSED` after close. */
  readonly outcome: Promise<T>;
  /** Settles when everything passed to `until` has settled, which may be never. Does not reject. */
  readonly left: Promise<void>;
}

/** The limits of all operations of one manager. */
export interface OperationBounds {
  readonly files: number;
  readonly bytes: number;
  begin<T>(task: (operation: Operation) => Promise<T>): BegunOperation<T>;
  /** Ends operations in progress after at most 10 seconds. */
  close(): void;
}

/** @throws SkillError `CONFIG_INVALID` for an invalid duration, count or size. */
export function operationBounds({ timeout = "10m", files, bytes }: PolicyLimits = {}): OperationBounds {
  const timeoutMs = Math.min(durationMs(timeout), LONGEST_TIMER_MS);
  const limits = { files: files ?? SNAPSHOT_LIMITS.files, bytes: byteSize(bytes ?? SNAPSHOT_LIMITS.bytes) };
  if (!Number.isSafeInteger(limits.files) || limits.files < 0)
    throw new SkillError(
      "CONFIG_INVALID",
      `${limits.files} is not a valid limit of files for policies. Give a whole number.`,
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
    `It did not end within ${timeoutMs} ms and is no longer awaited. Raise the timeout of policyLimits, or find out ` +
      "why it hangs.",
    { details: { timeoutMs } },
  );
}

function closed(): SkillError {
  return new SkillError("CLOSED", "It had not ended when the workspaces were closed, and is not awaited.");
}
