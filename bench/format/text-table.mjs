import { contestantTitle } from "./contestant-title.mjs";
import { diagnosticsOf } from "./diagnostics-of.mjs";
import { fastestFirst } from "./fastest-first.mjs";
import { markdownTable } from "./markdown-table.mjs";
import { takeTurns } from "./rounds.mjs";
import { median, quantile } from "./statistics.mjs";

const head = [
  "reader",
  "corpus, ms",
  "× ours",
  "first round, ms",
  "file p50, µs",
  "p99, µs",
  "max, µs",
  "loads",
  "right",
  "diagnostics",
  "body",
  "other fields",
];

/**
 * Texts in memory. The time of a file is its median over the rounds; p50, p99 and max are over the files.
 *
 * @returns the table, what could not be measured, our slowest file, and every reader's numbers, ours first
 */
export async function textTable(contestants, turns) {
  const results = await takeTurns(contestants, "texts", turns);
  const measured = results.filter(({ failure }) => !failure).map(numbers);
  const [ours] = measured;
  for (const one of measured) one.yields = await one.contestant.ask("yieldOfTexts");
  const slowest = ours.files.indexOf(Math.max(...ours.files));
  return {
    table: markdownTable(
      head,
      fastestFirst(measured).map((one) => row(one, ours)),
    ),
    failures: results.filter(({ failure }) => failure),
    slowest: { index: slowest, milliseconds: ours.files[slowest] },
    measured,
  };
}

function numbers({ contestant, cold, rounds }) {
  const files = cold.each.map((_, file) => median(rounds.map(({ each }) => each[file])));
  return { contestant, cold: cold.whole, whole: median(rounds.map(({ whole }) => whole)), files };
}

function row({ contestant, cold, whole, files, yields }, ours) {
  return [
    contestantTitle(contestant.facts),
    whole.toFixed(1),
    (whole / ours.whole).toFixed(2),
    cold.toFixed(0),
    ...[0.5, 0.99, 1].map((share) => (quantile(files, share) * 1000).toFixed(0)),
    yields.loaded,
    yields.right,
    diagnosticsOf(contestant.facts, "text"),
    yields.body ? "yes" : "no",
    yields.unknown ? "yes" : "no",
  ];
}
