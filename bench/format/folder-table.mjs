import { contestantTitle } from "./contestant-title.mjs";
import { diagnosticsOf } from "./diagnostics-of.mjs";
import { fastestFirst } from "./fastest-first.mjs";
import { markdownTable } from "./markdown-table.mjs";
import { takeTurns } from "./rounds.mjs";
import { median } from "./statistics.mjs";

const head = [
  "loader",
  "corpus, ms",
  "× ours",
  "first round, ms",
  "a file, µs",
  "found",
  "right",
  "diagnostics",
  "body",
  "other fields",
];

/** Directories on disk, read from the start in every round. */
export async function folderTable(contestants, turns, count) {
  const results = await takeTurns(contestants, "folders", turns);
  const measured = results
    .filter(({ failure }) => !failure)
    .map(({ contestant, cold, rounds }) => ({
      contestant,
      cold: cold.whole,
      whole: median(rounds.map(({ whole }) => whole)),
    }));
  for (const one of measured) one.yields = await one.contestant.ask("yieldOfFolders");
  return {
    table: markdownTable(
      head,
      fastestFirst(measured).map((one) => row(one, measured[0], count)),
    ),
    failures: results.filter(({ failure }) => failure),
  };
}

function row({ contestant, cold, whole, yields }, ours, count) {
  return [
    contestantTitle(contestant.facts),
    whole.toFixed(0),
    (whole / ours.whole).toFixed(2),
    cold.toFixed(0),
    ((whole / count) * 1000).toFixed(0),
    yields.loaded,
    yields.right,
    diagnosticsOf(contestant.facts, "folders"),
    yields.body ? "yes" : "no",
    yields.unknown ? "yes" : "no",
  ];
}
