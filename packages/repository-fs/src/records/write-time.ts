const MOST_APART_MS = 2;

let offset = performance.timeOrigin;
let last = 0;

/**
 * The time of a write in milliseconds since 1970, with fractions: each one of this process is later than the one before, also
 * where the file system's own times have a step of several milliseconds. It differs from the machine's clock by 2 ms at most.
 */
export function writeTimeMs(): number {
  const now = Date.now();
  const apart = now - (offset + performance.now());
  // The machine's clock was set.
  if (Math.abs(apart) > MOST_APART_MS) offset += apart;
  last = Math.max(offset + performance.now(), last + 0.001);
  return last;
}
