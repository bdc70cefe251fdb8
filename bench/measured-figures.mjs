import { cpus } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";

/**
 * Builds the packages and measures the figures that the command line names, or all. Prints a Markdown table.
 * @param {{ packages: readonly string[], figures: Readonly<Record<string, string>>, folder: string }} table Titles of the figures by name; the
 * folder beside this file has a module for each, which exports `measure`.
 * @param {unknown} [given] The argument of `measure`.
 */
export async function measuredFigures({ packages, figures, folder }, given) {
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const unknown = wanted.filter((name) => !Object.hasOwn(figures, name));
  if (unknown.length > 0) {
    tell(`There is no figure ${unknown.join(", ")}. Figures: ${Object.keys(figures).join(", ")}.`);
    process.exit(2);
  }
  await prepare({ build: packages.map((name) => `packages/${name}`) });
  console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores\n`);
  console.log("| figure | measured |\n| --- | --- |");
  for (const [name, title] of Object.entries(figures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    tell(`measures ${name} ...`);
    const { measure } = await import(`./${folder}/${name}.mjs`);
    console.log(`| ${title} | ${await measure(given)} |`);
  }
}
