/**
 * What skills over MCP cost: lists, a large file, many clients, a run over standard streams beside one in process, and the first answer of
 * the command beside that of an empty server of the official SDK. Prints a Markdown table; a slow figure fails nothing.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";

const packages = ["cli", "mcp", "repository-fs", "runtime-local", "skillbox", "tools", "workspace"];
const FIGURES = {
  lists: "`resources/list` of 1,000 skills (must 150 ms cold, 10 ms warm)",
  "large-file": "first lines of a file of 100 MB of a skill (must 50 ms, constant memory)",
  clients: "200 clients at once (must: none fails)",
  runs: "`skill_run` over standard streams beside the same run in process (must 1.15)",
  initialize: "`initialize` of a new `skillwright mcp` beside an empty server of the SDK (must 1.5)",
};
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(FIGURES, name));
if (unknown.length > 0) {
  tell(`There is no figure ${unknown.join(", ")}. Figures: ${Object.keys(FIGURES).join(", ")}.`);
  process.exit(2);
}
await prepare({ build: packages.map((name) => `packages/${name}`) });
const place = mkdtempSync(`${tmpdir()}/skillwright-bench-mcp-`);
// Commands run as another user.
chmodSync(place, 0o711);
console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores\n`);
console.log("| figure | measured |\n| --- | --- |");
try {
  for (const [name, title] of Object.entries(FIGURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    tell(`measures ${name} ...`);
    const { measure } = await import(`./mcp/${name}.mjs`);
    console.log(`| ${title} | ${await measure(place)} |`);
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
