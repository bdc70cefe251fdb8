/** Random numbers that are the same in every run and on every machine: mulberry32 with a seed. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  /** From 0 (inclusive) to 1 (exclusive). */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)],
    /** A whole number from a log-normal distribution, limited to two bounds. */
    logNormal: (mean, deviation, least, most) =>
      Math.min(most, Math.max(least, Math.round(Math.exp(mean + deviation * normal())))),
    /** One of the values, with the probability of its share; the last gets the rest. */
    shared: (shares) => {
      let left = next();
      for (const [value, share] of shares) {
        left -= share;
        if (left < 0) return value;
      }
      return shares.at(-1)[0];
    },
  };
}
