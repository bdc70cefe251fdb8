import type { Diagnostic, SkillError } from "@skillwright/core";

/** A comparison that runs in the background from time to time. */
export interface BackgroundCheck {
  /** Starts a comparison when the last one started longer ago than the interval and none is running. */
  due(): void;
  /** Records that a comparison was just made. */
  done(): void;
  /** The failure of the last comparison, for a listing. */
  diagnostics(): readonly Diagnostic[];
  /** Aborts the running comparison and starts no other. */
  close(): Promise<void>;
}

/** @param compare Rejects where the comparison failed. */
export function backgroundCheck(
  everyMs: number,
  label: () => string,
  compare: (signal: AbortSignal) => Promise<SkillError | undefined>,
): BackgroundCheck {
  const closing = new AbortController();
  let last = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let failure: unknown;

  async function check(): Promise<void> {
    last = performance.now();
    try {
      failure = await compare(closing.signal);
    } catch (error) {
      failure = error;
    }
  }

  return {
    due: () => {
      if (running || closing.signal.aborted || everyMs === Infinity) return;
      if (performance.now() - last < everyMs) return;
      running = check().finally(() => {
        running = undefined;
      });
    },
    done: () => {
      last = performance.now();
      failure = undefined;
    },
    diagnostics: () => (failure === undefined ? [] : [unchecked(label(), failure)]),
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

function unchecked(label: string, failure: unknown): Diagnostic {
  return {
    code: "index.unchecked",
    severity: "warning",
    message: `The source "${label}" could not be compared with its index: ${String((failure as Error).message ?? failure)}`,
    hint: "The listing comes from the index. Later changes to the repository are not listed until it can be reached.",
  };
}
