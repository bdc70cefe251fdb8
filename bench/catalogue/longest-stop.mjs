/** The longest time, in milliseconds, for which the event loop was blocked during the work. */
export async function withLongestStop(work) {
  let longest = 0;
  let last = performance.now();
  let immediate;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    immediate = setImmediate(tick);
  };
  immediate = setImmediate(tick);
  await new Promise((resolve) => setImmediate(resolve));
  longest = 0;
  const result = await work();
  longest = Math.max(longest, performance.now() - last);
  clearImmediate(immediate);
  return { result, longest };
}
