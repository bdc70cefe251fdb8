/** Yields the results of the work in the order of the items, with at most `limit` running or waiting to be consumed. */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  for (const item of items) {
    const result = work(item);
    // The error is thrown when its turn comes; until then nothing awaits it.
    result.catch(() => undefined);
    running.push(result);
    const first = running.length >= limit ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}
