import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { root } from "../../scripts/bootstrap/root.mjs";
import { tell } from "../../scripts/bootstrap/step.mjs";
import { contestantTitle } from "../format/contestant-title.mjs";
import { markdownTable } from "../format/markdown-table.mjs";
import { inOwnProcess } from "./in-own-process.mjs";
import { layOutSkills } from "./lay-out-skills.mjs";

const OURS = `${root}/bench/format/skillwright-list.mjs`;
const FEW_HANDLES = 256;

/** All tables as Markdown. */
export async function report({ peers, node, counts = [1000, 10_000] }) {
  const parts = [];
  for (const count of counts) parts.push(await discovery({ modules: [OURS, ...peers], node, count }));
  parts.push(await ours(node, counts));
  return parts.join("\n\n");
}

async function discovery({ modules, node, count }) {
  const directory = mkdtempSync(`${tmpdir()}/skillwright-catalogue-`);
  try {
    const loadable = layOutSkills(directory, count);
    const rows = [];
    const failures = [];
    for (const module of modules) {
      const args = [module, directory, count > 1000 ? "3" : "5"];
      const measured = await inOwnProcess("discover.mjs", args, { node });
      tell(`  ${count} skills: ${module.split("/").at(-1)}`);
      if (measured.skipped) continue;
      if (measured.error) failures.push(`${module.split("/").at(-1)}: ${measured.error}`);
      else {
        const few = await inOwnProcess("discover.mjs", args, { node, handles: FEW_HANDLES });
        rows.push({ measured, few });
      }
    }
    const [own, ...others] = rows;
    others.sort((a, b) => a.measured.median - b.measured.median);
    const table = markdownTable(
      HEAD,
      [own, ...others].map((row) => cells(row, own)),
    );
    const title = `### ${count} skills, of which ${loadable} are to be found`;
    return `${title}\n\n${table}${failures.length ? `\n\nNot measured: ${failures.join("; ")}` : ""}`;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const HEAD = [
  "loader",
  "ms",
  "× ours",
  "first, ms",
  "longest stop, ms",
  "peak, MB",
  "found",
  "right",
  `found with ${FEW_HANDLES} handles`,
];

function cells({ measured, few }, own) {
  const { facts, median, cold, gap, peak, found, right } = measured;
  return [
    contestantTitle(facts),
    median.toFixed(0),
    (median / own.measured.median).toFixed(2),
    cold.toFixed(0),
    gap.toFixed(0),
    peak.toFixed(0),
    found,
    right,
    few.error ? `fails: ${few.error.slice(0, 40)}` : few.found,
  ];
}

async function ours(node, counts) {
  const rows = [];
  for (const count of counts) {
    const directory = mkdtempSync(`${tmpdir()}/skillwright-catalogue-`);
    try {
      layOutSkills(directory, count);
      const measured = await inOwnProcess("watched.mjs", [directory, count > 1000 ? "20" : "100"], { node });
      if (measured.error) rows.push([`${count}: ours`, measured.error, ""]);
      else for (const [what, value, aim] of measured.rows) rows.push([`${count}: ${what}`, value, aim]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return `### The catalogue over such a folder\n\n${markdownTable(["what", "measured", "aim"], rows)}`;
}
