import { markdownTable } from "../../format/markdown-table.mjs";
import { median } from "../../format/statistics.mjs";
import { ratioJudgements } from "../aims.mjs";

/** Staging a skill of 5,000 files, the first time and again. */
export function stagingSection(results, traces) {
  const head = ["5,000 files", "isolation", "p50, ms", "× cp -r", "processes", "skill files opened"];
  const rows = results.flatMap(({ isolation, times, again, started }) => {
    const trace = traces.find((one) => one.isolation === isolation);
    const row = (title, each, ...more) => [
      title,
      isolation,
      median(each).toFixed(1),
      (median(each) / median(times.copy)).toFixed(3),
      ...(more.length > 0 ? more : ["", ""]),
    ];
    return [
      row("`cp -r`", times.copy),
      row("first, catalogue knows the skill", times.known),
      row("first, nothing known", times.unknown),
      row("again, unchanged", again, trace?.processes ?? started, trace?.skillFilesOpened ?? "not counted"),
    ];
  });
  const judgements = results.flatMap((result) => [
    ...ratioJudgements(
      `first staging (${result.isolation}) against \`cp -r\``,
      median(result.times.unknown) / median(result.times.copy),
      { must: 1.5 },
    ),
    unchanged(
      result,
      traces.find(({ isolation }) => isolation === result.isolation),
    ),
    {
      what: `staging unchanged (${result.isolation}) under 10 ms`,
      measured: `${median(result.again).toFixed(1)} ms`,
      met: median(result.again) < 10,
      kind: "aim",
    },
  ]);
  const title = `### Staging: median of ${results[0]?.rounds} rounds (${results[0]?.again.length} for the unchanged)`;
  return { text: `${title}\n\n${markdownTable(head, rows)}`, judgements };
}

function unchanged({ isolation, unchanged: isUnchanged, started, bytesRead, files }, trace) {
  const counted = trace
    ? `${trace.skillFilesOpened} files of it opened and ${trace.processes} processes, by strace (${trace.otherFilesOpened} other files, ` +
      `${trace.directoriesOpened} directories listed)`
    : `${started} processes and ${bytesRead} bytes read, without strace`;
  const met = trace ? trace.skillFilesOpened + trace.processes === 0 : started === 0 && bytesRead < files;
  return {
    what: `staging unchanged (${isolation}): no file of the skill read, no process started`,
    measured: counted,
    met: isUnchanged && met,
  };
}
