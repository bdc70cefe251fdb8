/**
 * Times the contestants in turns (A B C, B C A, ...), so that load on the machine affects all of them.
 *
 * @param {Record<string, () => Promise<unknown>>} contestants
 * @returns milliseconds of every round that counts, by contestant
 */
export async function alternate(contestants, { warmUp, rounds }) {
  const entries = Object.entries(contestants);
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(entries.map(([name]) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const [name, work] = entries[(turn + round) % entries.length];
      const started = performance.now();
      const own = await work();
      // A contestant can time itself, if only a part of its work is to be measured.
      const milliseconds = typeof own === "number" ? own : performance.now() - started;
      if (round >= warmUp) times[name].push(milliseconds);
    }
  }
  return times;
}
