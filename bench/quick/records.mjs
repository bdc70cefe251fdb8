import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { root } from "../../scripts/bootstrap/root.mjs";
import { drawnFigures } from "./drawn-figures.mjs";

const file = `${root}/bench/figures.json`;

/** What was recorded, oldest first: date, commit, kind of machine, its load average, and the figures by title. */
function allRecords() {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).records : [];
}

export function lastRecord() {
  return allRecords().at(-1);
}

/** Adds the figures to the file and draws the page's picture. */
export function record(figures) {
  const [{ model = "unknown processor" } = {}] = cpus();
  const machine = `${process.platform} ${process.arch}, ${cpus().length} × ${model.trim()}, Node ${process.versions.node}`;
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const load = Number((loadavg()[0] ?? 0).toFixed(1));
  const about = { date: new Date().toISOString(), commit, machine, load };
  const records = [...allRecords(), { ...about, figures: rounded(figures) }];
  writeFileSync(file, `${JSON.stringify({ formatVersion: 1, records }, undefined, 2)}\n`);
  writeFileSync(`${root}/docs/speed.svg`, drawnFigures(records));
}

function rounded(figures) {
  return Object.fromEntries(
    Object.entries(figures).map(([title, { ms, ratio }]) => [
      title,
      { ms: Number(ms.toPrecision(3)), ratio: Number(ratio.toPrecision(3)) },
    ]),
  );
}
