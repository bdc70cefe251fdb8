import { markdownTable } from "../../format/markdown-table.mjs";
import { median, quantile } from "../../format/statistics.mjs";
import { ratioJudgements } from "../aims.mjs";

const BARE = "the same bubblewrap, spawned bare";

/** A workspace's whole life around one run, compared with bubblewrap. */
export function wholeSection(results) {
  const [{ times, parts, rounds }] = results;
  const named = { [BARE]: times.bare, "create, stage, run, collect, destroy": times.whole };
  const each = Object.entries(parts).map(([name, ms]) => `${name} ${median(ms).toFixed(2)} ms`);
  return {
    text: `### A workspace for one run: median of ${rounds} rounds\n\n${table(named)}\n\nOf that ${each.join(", ")}.`,
    judgements: ratioJudgements(
      "create, stage, run, collect and destroy against a bare start",
      median(times.whole) / median(times.bare),
      { must: 1.5 },
    ),
  };
}

/** The first run of a process, compared with bubblewrap in another new process. */
export function firstSection(times) {
  const named = { [BARE]: times.bare, "localRuntime: create and run": times.first };
  return {
    text: `### The first run of a process: median of ${times.first.length} processes each, in turns\n\n${table(named)}`,
    judgements: ratioJudgements(
      "the first run of a process against a bare start in a new process",
      median(times.first) / median(times.bare),
      { must: 6 },
    ),
  };
}

function table(named) {
  const floor = median(Object.values(named)[0]);
  const rows = Object.entries(named).map(([name, ms]) => [
    name,
    median(ms).toFixed(2),
    (median(ms) / floor).toFixed(2),
    quantile(ms, 0.95).toFixed(2),
  ]);
  return markdownTable(["sandbox", "p50, ms", "× bare", "p95, ms"], rows);
}
