export function median(values) {
  return quantile(values, 0.5);
}

/** The quantile of the values at this share: the nearest value, without interpolation. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
