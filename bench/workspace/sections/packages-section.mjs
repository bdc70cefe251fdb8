import { markdownTable } from "../../format/markdown-table.mjs";
import { median, quantile } from "../../format/statistics.mjs";
import { differenceJudgement } from "../aims.mjs";

const names = { plain: "a skill without packages", packaged: "a skill with a prepared package" };

/** A run of a skill with prepared packages compared with one without. */
export function packagesSection(results) {
  const rows = results.flatMap(({ isolation, times }) =>
    Object.entries(times).map(([name, each]) => [
      names[name],
      isolation,
      median(each).toFixed(2),
      quantile(each, 0.95).toFixed(2),
    ]),
  );
  const judgements = results.map(({ isolation, times }) =>
    differenceJudgement(
      `a later run of a skill with prepared packages (${isolation})`,
      median(times.packaged) - median(times.plain),
      { mustMs: 20 },
    ),
  );
  const prepared = results.map(
    ({ isolation, preparedMs }) => `${(preparedMs / 1000).toFixed(1)} s (${isolation})`,
  );
  const title = `### Prepared packages: median of ${results[0]?.rounds} rounds`;
  const table = markdownTable(["`true`", "isolation", "p50, ms", "p95, ms"], rows);
  return {
    text: `${title}\n\n${table}\n\nThe first run, with the preparation: ${prepared.join(", ")}.`,
    judgements,
  };
}
