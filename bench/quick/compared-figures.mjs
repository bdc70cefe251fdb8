import { markdownTable } from "../format/markdown-table.mjs";

/** A table of the figures: time, ratio to the floor of each, and the same of the last record. */
export function comparedFigures(figures, last) {
  const rows = Object.entries(figures).map(([title, { ms, ratio }]) => {
    const before = last?.figures[title];
    return [
      title,
      ms.toFixed(ms < 10 ? 2 : 0),
      ratio.toFixed(2),
      before ? before.ratio.toFixed(2) : "",
      before ? `${ratio < before.ratio ? "" : "+"}${(100 * (ratio / before.ratio - 1)).toFixed(0)} %` : "new",
    ];
  });
  const since = last
    ? `Last record: ${last.date.slice(0, 10)}, ${last.commit.slice(0, 12)}, ${last.machine}, load ${last.load}.`
    : "Nothing is recorded yet.";
  return `${markdownTable(["figure", "ms", "× floor", "recorded", "change"], rows)}\n\n${since}`;
}
