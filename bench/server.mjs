/**
 * What the agent's server costs, each figure beside a bare floor in the same run: the first event of a turn beside a bare
 * Hono stream of the same events, runs of many conversations at once beside the bare sandbox, the memory of open
 * streams, resumptions, and five users beside one. Prints a Markdown table; nothing fails the run but a lost event.
 */
import { cpus } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";

const packages = ["server", "agent", "runtime-local", "repository-memory", "skillbox"];
const FIGURES = {
  first: "first event of a turn: server beside a bare Hono stream (must 3, aim 1.5)",
  many: "100 conversations with a 100 ms run at once: p95 beside the bare sandbox's, in a new server and in one that has served as many (must 2)",
  idle: "memory of an open idle stream (must 60 KiB)",
  resume: "10,000 resumptions: lost events (must 0)",
  users: "five users with a one-second run each, beside one alone (must 1.5)",
};
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(FIGURES, name));
if (unknown.length > 0) {
  tell(`There is no figure ${unknown.join(", ")}. Figures: ${Object.keys(FIGURES).join(", ")}.`);
  process.exit(2);
}
await prepare({ build: packages.map((name) => `packages/${name}`) });
console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores\n`);
console.log("| figure | measured |\n| --- | --- |");
for (const [name, title] of Object.entries(FIGURES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  tell(`measures ${name} ...`);
  const { measure } = await import(`./server/${name}.mjs`);
  console.log(`| ${title} | ${await measure()} |`);
}
process.exit();
