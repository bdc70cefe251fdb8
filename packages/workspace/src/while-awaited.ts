const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Keeps this process alive until the work has settled: its own timers do not, and its caller waits for it. */
export async function whileAwaited<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, LONGEST_TIMER_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
