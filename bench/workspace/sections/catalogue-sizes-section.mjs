import { markdownTable } from "../../format/markdown-table.mjs";
import { median } from "../../format/statistics.mjs";

const MUST = 1.15;

/** A warm `skill_run` by the number of skills in the catalogue. */
export function catalogueSizesSection(results) {
  const sizes = Object.keys(results[0]?.times ?? {});
  const counts = sizes.map((size) => `${Number(size).toLocaleString("en")} skills, ms`);
  const head = ["warm `skill_run`", "folders", ...counts, "last ÷ first"];
  const rated = results.map((result) => {
    const medians = sizes.map((size) => median(result.times[size]));
    return { ...result, medians, ratio: medians.at(-1) / medians[0] };
  });
  const rows = rated.map(({ watched, named, medians, ratio }) => [
    watched ? "watched" : "not watched",
    `named ${named === "otherwise" ? "otherwise" : "like their skill"}`,
    ...medians.map((each) => each.toFixed(2)),
    ratio.toFixed(2),
  ]);
  const judgements = rated.map(({ watched, named, ratio }) => ({
    what: `a warm skill_run with ${sizes.at(-1)} skills (${watched ? "" : "not "}watched, named ${named}) at most ${MUST} times one with ${sizes[0]}`,
    measured: `${ratio.toFixed(2)} times`,
    met: ratio <= MUST,
  }));
  const title = `### A run by the size of the catalogue (${results[0]?.isolation}): median of ${results[0]?.rounds} rounds`;
  return { text: `${title}\n\n${markdownTable(head, rows)}`, judgements };
}
