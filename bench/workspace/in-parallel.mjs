/** Does the work for each of the items, several at a time; results in the order of the items. */
export async function inParallel(items, atOnce, work) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
