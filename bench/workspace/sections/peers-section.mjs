import { markdownTable } from "../../format/markdown-table.mjs";
import { median } from "../../format/statistics.mjs";

/** Create, stage, run and collect, compared with the peers, which use no sandbox. */
export function peersSection({ results }, rounds) {
  const head = ["create, stage, run, collect", "p50, ms", "× ours", "first, ms"];
  const sandboxed = results.find(({ title }) => title.endsWith("sandbox"));
  const ours = sandboxed && median(sandboxed.rounds);
  const rows = [...results]
    .sort((a, b) => Number(b.isOurs) - Number(a.isOurs) || median(a.rounds) - median(b.rounds))
    .map(({ title, note, isOurs, rounds: each, cold }) => [
      isOurs ? `**${title}**` : `${title}${note ? ` (${note})` : ""}`,
      median(each).toFixed(1),
      ours ? (median(each) / ours).toFixed(2) : "",
      cold.toFixed(0),
    ]);
  const judgements = results
    .filter(({ isOurs }) => !isOurs && ours !== undefined)
    .map(({ title, note, rounds: each }) => ({
      what: `in a sandbox faster than ${title} without one${note ? ` (${note})` : ""}`,
      measured: `${ours.toFixed(1)} ms against ${median(each).toFixed(1)} ms`,
      met: ours < median(each),
      kind: "aim",
    }));
  const title = `### Beside the peers: median of ${rounds} rounds`;
  return { text: `${title}\n\n${markdownTable(head, rows)}`, judgements };
}
