/** Works through the items, at most `limit` at a time. The work sees to its own failures. */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  async function worker(): Promise<void> {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  }
  await Promise.all(Array.from({ length: limit }, worker));
}
