/**
 * Polls until the answer is yes.
 *
 * @param {number} milliseconds
 * @param {() => unknown} condition May be asynchronous.
 * @returns {Promise<boolean>} false when the time was up
 */
export async function until(milliseconds, condition) {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
