import { markdownTable } from "../format/markdown-table.mjs";
import { median, quantile } from "../format/statistics.mjs";

/**
 * Rows of one part.
 *
 * @param floors name of the row with which each row is compared; a row without one is a floor or not compared
 */
export function storeRows({ times, accounts }, floors) {
  return Object.entries(times).map(([what, each]) => {
    const floor = times[floors[what]];
    const { requests, bytes } = accounts[what] ?? {};
    return [
      what,
      median(each).toFixed(1),
      quantile(each, 0.95).toFixed(1),
      each[0].toFixed(1),
      floor ? (median(each) / median(floor)).toFixed(2) : "",
      requests ? requestsText(requests) : "",
      bytes === undefined ? "" : (bytes / 1e6).toFixed(3),
      each.length,
    ];
  });
}

export function storeTable(rows) {
  const head = [
    "what",
    "p50, ms",
    "p95, ms",
    "first, ms",
    "× its floor",
    "requests or calls",
    "MB",
    "rounds",
  ];
  return markdownTable(head, rows);
}

export function requestsText(requests) {
  const parts = Object.entries(requests).map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? "none" : parts.join(" + ");
}
