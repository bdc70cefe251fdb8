export function median(values) {
  return quantile(values, 0.5);
}

/** The value below which the share of the values lies; the nearest one, nothing in between. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
