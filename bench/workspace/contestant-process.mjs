/**
 * One contestant in its own process: for each question it creates a workspace, adds the skill, runs its script and
 * reads the output; it answers with the milliseconds. Its output is discarded.
 */
import { mkdirSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { temporaryDirectory } from "./house.mjs";

const [module] = process.argv.slice(2);
const files = Object.entries({
  "SKILL.md": `---\nname: count\ndescription: Counts rows.\n---\n\n${"Count the rows of the table.\n".repeat(95)}`,
  "scripts/count.sh": 'wc -l < "$1"\n',
  "references/format.md": "# The format\n".repeat(50),
  "data/rows.csv": "1,2,3\n".repeat(200),
}).map(([path, content]) => [path, Buffer.from(content)]);
const wanted = {
  files,
  command: "mkdir -p out && bash scripts/count.sh data/rows.csv > out/result.txt",
  output: "out/result.txt",
};
const { directory, remove } = temporaryDirectory();
const contestant = await import(pathToFileURL(module).href).then(
  (loaded) => loaded.default,
  (error) => ({ error: firstLine(error) }),
);
let turn = 0;

process.on("message", async (question) => {
  try {
    process.send?.({ answer: question === "dispose" ? await dispose() : await use() });
  } catch (error) {
    process.send?.({ error: firstLine(error) });
  }
});
process.on("disconnect", () => process.exit()); // The parent is gone; a peer's timer must not keep this alive.
const { package: from, title, note, error, isOurs = false } = contestant;
process.send?.({ answer: { from, title, note, error, isOurs } });

/** Removing the workspace is not timed: a workspace lives longer than one run. */
async function use() {
  const home = `${directory}/${turn++}`;
  mkdirSync(home);
  const started = performance.now();
  const { text, close } = await contestant.use({ home, ...wanted });
  const milliseconds = performance.now() - started;
  if (text?.trim() !== "200") throw new Error(`the output was ${JSON.stringify(text)}`);
  await close();
  rmSync(home, { recursive: true, force: true });
  return milliseconds;
}

async function dispose() {
  await contestant.dispose?.();
  remove();
}

function firstLine(error) {
  return String(error?.message ?? error).split("\n")[0];
}
