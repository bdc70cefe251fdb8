/**
 * The greatest whole number from `low` to `high` that passes, where all smaller numbers pass too; `undefined` for none.
 */
export function greatest(
  low: number,
  high: number,
  passes: (candidate: number) => boolean,
): number | undefined {
  let best: number | undefined;
  let from = low;
  let to = high;
  while (from <= to) {
    const middle = Math.floor((from + to) / 2);
    if (passes(middle)) {
      best = middle;
      from = middle + 1;
    } else to = middle - 1;
  }
  return best;
}
