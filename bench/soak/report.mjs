import { markdownTable } from "../format/markdown-table.mjs";
import { quantile } from "../format/statistics.mjs";
import { checksIn } from "./verdict.mjs";

const SHOWN = 25;

/** The operations, the checks and the findings, as Markdown. */
export function soakReport(ran) {
  const {
    minutes,
    seed,
    operations,
    kills,
    pids,
    uploads,
    artifacts,
    baseline,
    after,
    findings,
    told,
    swept,
  } = ran;
  const kinds = [...new Set(operations.map(({ kind }) => kind))].sort();
  const rows = kinds.map((kind) =>
    kindRow(
      kind,
      operations.filter((one) => one.kind === kind),
    ),
  );
  const table = markdownTable(
    ["operation", "begun", "acknowledged", "workspace gone", "cut off by a kill", "p50, ms", "p99, ms"],
    rows,
  );
  const count = (what) => findings.filter((finding) => finding.startsWith(what)).length;
  const checks = markdownTable(
    ["check", "of", "found"],
    [
      [
        "uploads seen by later runs, none torn, none back",
        `${checksIn(operations, kills)} pairs`,
        count("lost upload") + count("torn") + count("came back"),
      ],
      ["uploads there at the end", uploads, "counted above"],
      ["artifacts there with their bytes", artifacts, count("lost artifact")],
      ["errors and endings that nothing explains", operations.length, count("unexpected")],
      [
        "processes, workspaces, groups, files, bytes left",
        `${baseline.entries} entries before, ${after.entries} after`,
        count("left"),
      ],
    ],
  );
  const summary =
    `${minutes} minutes, seed ${seed}: ${operations.length} operations by 8 workers in 2 processes, ` +
    `${kills.length} kills, ${pids.length} processes started. The sweep at the end: ${swept.adopted.length} adopted, ` +
    `${swept.forgotten.length} forgotten, ${swept.finished.length} finished. Open descriptors when the last two stopped: ` +
    `${told.map(({ descriptors }) => descriptors).join(", ")}; diagnostics they told: ${JSON.stringify(told.map((one) => one.told))}.`;
  const shown = findings.slice(0, SHOWN).map((finding) => `- ${finding}`);
  const more = findings.length > SHOWN ? [`- and ${findings.length - SHOWN} more`] : [];
  const result =
    findings.length === 0
      ? "Nothing lost, nothing left."
      : [`Found (${findings.length}):`, "", ...shown, ...more].join("\n");
  return ["### Soak", "", summary, "", table, "", checks, "", result].join("\n");
}

function kindRow(kind, own) {
  const ended = own.filter(({ end }) => end !== undefined);
  const times = ended.filter(({ error }) => !error).map(({ begin, end }) => end - begin);
  const shown = (share) => (times.length > 0 ? quantile(times, share).toFixed(1) : "");
  const gone = ended.filter(({ error }) => error === "WORKSPACE_NOT_FOUND").length;
  return [kind, own.length, times.length, gone, own.length - ended.length, shown(0.5), shown(0.99)];
}
