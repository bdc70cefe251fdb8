#!/usr/bin/env node
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { barChart } from "./analyse/bar-chart.mjs";
import { chooseGroups, chooseValue } from "./analyse/choose.mjs";
import { detectFormat } from "./analyse/detect-format.mjs";
import { groupTotals } from "./analyse/group-totals.mjs";
import { InputError } from "./analyse/input-error.mjs";
import { HELP, readOptions } from "./analyse/options.mjs";
import { profileFile } from "./analyse/profile-file.mjs";
import { markdownReport } from "./analyse/report.mjs";
import { summaryLines } from "./analyse/summary.mjs";

/** Reads the file twice: once to know the columns, once to add up what was chosen from them. */
async function main() {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return process.stdout.write(HELP);
  const format = await detectFormat(options.file, options);
  const profile = await profileFile(options.file, format);
  const groups = chooseGroups(profile, options.groupBy);
  const value = chooseValue(profile, options.value);
  const totals = await groupTotals(options.file, format, profile, { groups, value });

  const chart = totals.groups[0] && barChart({ file: basename(options.file), profile, totals, value });
  const analysis = { file: basename(options.file), format, profile, totals, value, options };
  await save(options.out, markdownReport({ ...analysis, chart: chart && basename(options.chart) }));
  if (chart) await save(options.chart, chart);

  const written = [options.out, ...(chart ? [options.chart] : [])];
  process.stdout.write(`${summaryLines({ ...analysis, written }).join("\n")}\n`);
}

async function save(path, text) {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (error) {
    const shown = relative(process.cwd(), path) || path;
    throw new InputError(
      `Cannot write ${shown} (${error.code ?? error.message}).`,
      "Give a path below out/.",
    );
  }
}

main().catch((error) => {
  const expected = error instanceof InputError;
  process.stderr.write(expected ? `${error.message}\n` : `${error.stack}\n`);
  process.exitCode = expected ? 2 : 1;
});
