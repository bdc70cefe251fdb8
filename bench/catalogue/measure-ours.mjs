import { tell } from "../../scripts/bootstrap/step.mjs";
import { markdownTable } from "../format/markdown-table.mjs";
import { median } from "../format/statistics.mjs";
import { inOwnProcess } from "./in-own-process.mjs";

/**
 * The measurements in each process, by key: title, unit, what it is compared with, and the aim.
 *
 * @type {[key: string, what: string, unit: string, bounds?: { aim?: number, beside?: string }][]}
 */
const ROWS = [
  ["first", "first snapshot", "ms"],
  ["firstStop", "its longest stop", "ms", { aim: 20 }],
  ["firstPeak", "most memory until then", "MB", { aim: 120 }],
  ["listUnwatched", "list again, not watched", "ms", { beside: "statting" }],
  ["statting", "floor: every SKILL.md looked at with stat, 16 at a time", "ms"],
  ["staleUnwatched", "stale lists right after a change, not watched", "", { aim: 0 }],
  ["watch", "beginning to watch", "ms"],
  ["watchStop", "its longest stop", "ms", { aim: 20 }],
  ["list", "list again, watched", "ms", { aim: 5, beside: "statting" }],
  ["snapshot", "snapshot check, watched", "ms", { aim: 1 }],
  ["staleWatched", "stale lists right after a change, watched", "", { aim: 0 }],
  ["overview", "overview as it is by default", "ms", { aim: 5 }],
  ["overviewWhole", "overview of all, whole descriptions", "ms", { aim: 5 }],
  ["index", "search index, with bodies", "ms", { aim: 200, beside: "indexFloor" }],
  ["indexStop", "its longest stop", "ms", { aim: 20 }],
  ["indexFloor", "floor: every SKILL.md read, 16 at a time", "ms"],
  ["indexLibrary", "the same into MiniSearch 7.2 with its defaults", "ms", { beside: "indexFloor" }],
  ["query", "query, p50", "ms", { aim: 1 }],
  ["queryP95", "query, p95", "ms"],
  ["queryLibrary", "query of MiniSearch, p50", "ms"],
  ["peak", "most memory in all, MiniSearch's index too", "MB"],
];
const AIMED_AT = 1000;

/** Measures ours over a directory of skills, in so many processes one after the other; returns medians. */
export async function measureOurs({ directory, node, count, processes }) {
  const answers = [];
  for (let at = 0; at < processes; at++) {
    const answer = await inOwnProcess("watched.mjs", [directory, count > AIMED_AT ? "5" : "25"], { node });
    if (answer.error) return { table: `Not measured: ${answer.error}`, judgements: [] };
    answers.push(answer);
    tell(`  the catalogue over ${count} skills: ${at + 1} of ${processes}`);
  }
  const values = Object.fromEntries(ROWS.map(([key]) => [key, median(answers.map((answer) => answer[key]))]));
  const aims = count === AIMED_AT ? (aim) => aim : () => undefined;
  return {
    table: markdownTable(
      ["what", "measured", "× floor", "aim"],
      ROWS.map(([key, what, unit, { aim, beside } = {}]) => [
        what,
        shown(values[key], unit),
        beside ? (values[key] / values[beside]).toFixed(2) : "",
        aims(aim) === undefined ? "" : shown(aim, unit && `${unit} `).trim(),
      ]),
    ),
    judgements: ROWS.filter(([, , , { aim } = {}]) => aims(aim) !== undefined).map(
      ([key, what, unit, { aim = 0 } = {}]) => ({
        what: `${count} skills: ${what} ${aim === 0 ? "0" : `at most ${aim} ${unit}`}`,
        measured: shown(values[key], unit),
        met: values[key] <= aim,
        kind: "aim",
      }),
    ),
  };
}

function shown(value, unit) {
  if (unit === "") return `${value}`;
  return `${Number.isInteger(value) || value >= 100 ? value.toFixed(0) : value.toFixed(2)} ${unit}`;
}
