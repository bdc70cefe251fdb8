import { median } from "../format/statistics.mjs";

const SECONDS = 10;

/**
 * Runs both in turn and returns the median time of the first, in milliseconds, and the median of the ratios to the second
 * within a round. Each returns its time, or nothing to be timed from outside. No further round begins after ten seconds.
 *
 * @param {number} rounds
 * @param {() => unknown} work
 * @param {() => unknown} floor
 */
export async function besideFloor(rounds, work, floor) {
  const times = [];
  const ratios = [];
  const until = performance.now() + SECONDS * 1000;
  for (let round = 0; round < rounds && (round === 0 || performance.now() < until); round++) {
    const [first, second] = round % 2 === 0 ? [work, floor] : [floor, work];
    const one = await timed(first);
    const other = await timed(second);
    const [ms, bare] = round % 2 === 0 ? [one, other] : [other, one];
    times.push(ms);
    ratios.push(ms / bare);
  }
  return { ms: median(times), ratio: median(ratios) };
}

async function timed(work) {
  const started = performance.now();
  const took = await work();
  return typeof took === "number" ? took : performance.now() - started;
}
