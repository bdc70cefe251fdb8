import type { CallOptions } from "@skillwright/core";

/** Ends a run before its command ends: at its timeout, on the signal, or on a kill; the first one counts. */
export interface Endings {
  asked(): { readonly timedOut: boolean; readonly aborted: boolean; readonly killed: boolean };
  isOver(): boolean;
  kill(): void;
  /** Call it when the command has ended; nothing ends it any more. */
  stop(): void;
}

/** @param end Called at most once. */
export function endings(
  { timeoutMs, signal }: CallOptions & { timeoutMs: number },
  end: () => void,
): Endings {
  const asked = { timedOut: false, aborted: false, killed: false };
  let over = false;
  const because = (why: keyof typeof asked) => () => {
    if (over) return;
    stop();
    asked[why] = true;
    end();
  };
  const abort = because("aborted");
  const timer = setTimeout(because("timedOut"), timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  // Deferred, so that the caller has the returned object first.
  if (signal?.aborted) queueMicrotask(abort);

  function stop(): void {
    over = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }

  return { asked: () => asked, isOver: () => over, kill: because("killed"), stop };
}
