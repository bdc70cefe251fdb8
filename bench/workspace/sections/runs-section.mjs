import { markdownTable } from "../../format/markdown-table.mjs";
import { median, quantile } from "../../format/statistics.mjs";
import { ratioJudgements } from "../aims.mjs";

const names = {
  bare: { none: "the same shell, spawned bare", sandbox: "the same bubblewrap, spawned bare" },
  runtime: "localRuntime: run",
  workspaces: "workspaceManager: run in a staged workspace",
  registry: "the same, with fsRecords",
};
const bounds = { none: { must: 2, aim: 1.3 }, sandbox: { must: 1.5, aim: 1.2 } };

/** `run('true')` compared with the programs it starts. */
export function runsSection(results) {
  const head = ["`true`", "isolation", "p50, ms", "× bare", "p95, ms"];
  const rows = results.flatMap(({ isolation, times }) =>
    Object.entries(times).map(([name, each]) => [
      names[name][isolation] ?? names[name],
      isolation,
      median(each).toFixed(2),
      (median(each) / median(times.bare)).toFixed(2),
      quantile(each, 0.95).toFixed(2),
    ]),
  );
  const judgements = results.flatMap(({ isolation, times }) =>
    ratioJudgements(
      `a run of \`true\` in a staged workspace (${isolation}) against a bare start`,
      median(times.workspaces) / median(times.bare),
      bounds[isolation],
    ),
  );
  const title = `### A run: median of ${results[0]?.rounds} rounds`;
  return { text: `${title}\n\n${markdownTable(head, rows)}`, judgements };
}
