/**
 * Processes the items, at most `limit` at a time. The first failure stops it, once the work in progress has finished.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure) throw failure.error;

  async function worker(): Promise<void> {
    for (let next = iterator.next(); !next.done && !failure; next = iterator.next())
      await work(next.value).catch((error: unknown) => {
        failure ??= { error };
      });
  }
}
