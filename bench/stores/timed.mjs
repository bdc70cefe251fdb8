/** The duration of the work, in milliseconds. */
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
