/** The results of the work in the order of the items, at most `limit` in progress or waiting to be taken. */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  for (const item of items) {
    const result = work(item);
    // It is told when its turn comes; until then nobody listens.
    result.catch(() => undefined);
    running.push(result);
    const first = running.length >= limit ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}
