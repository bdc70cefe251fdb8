const GRACE_MS = 2000;

/**
 * Runs the work with a signal that fires somewhat later than the given one: a command that is already starting may
 * finish its start, so that its result can report the outcome. An engine that hangs is not waited for any longer.
 */
export async function withGrace<T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abort = () => {
    timer = setTimeout(() => late.abort(signal?.reason), GRACE_MS);
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
