const GRACE_MS = 2000;

/**
 * Does the work with a signal that fires somewhat after the one that is given: a command that is being started may as well
 * start, then its result can say what became of it. An engine that hangs is not waited for longer than that.
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
