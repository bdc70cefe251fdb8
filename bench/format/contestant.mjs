/**
 * One contestant in its own process: started with its module and a laid-out corpus, it answers the parent's
 * questions one by one. Its output is discarded.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { countAgreeing } from "./agreement.mjs";
import { keptFields } from "./kept-fields.mjs";

const [module, corpus] = process.argv.slice(2);
const { skills } = JSON.parse(readFileSync(`${corpus}/index.json`, "utf8"));
const texts = skills.map(({ directory, file }) => ({
  directory,
  content: readFileSync(`${corpus}/skills/${directory}/${file}`, "utf8"),
}));
const contestant = await import(pathToFileURL(module).href).then(
  (loaded) => loaded.default,
  (error) => ({ error: firstLine(error) }),
);
const questions = { texts: timeTexts, folders: timeFolders, yieldOfTexts, yieldOfFolders };

process.on("message", async (question) => {
  try {
    process.send?.({ answer: await questions[question]() });
  } catch (error) {
    process.send?.({ error: firstLine(error) });
  }
});
process.on("disconnect", () => process.exit()); // The parent is gone; a peer's timer must not keep this alive.
const { package: from, title, call, note, diagnostics, error, text, folders } = contestant;
process.send?.({ answer: { from, title, call, note, diagnostics, error, text: !!text, folders: !!folders } });

/** Milliseconds for all texts together, and for each. */
function timeTexts() {
  const each = new Array(texts.length);
  const started = performance.now();
  let before = started;
  for (let index = 0; index < texts.length; index++) {
    attempt(texts[index]);
    const now = performance.now();
    each[index] = now - before;
    before = now;
  }
  return { whole: before - started, each };
}

async function timeFolders() {
  const started = performance.now();
  await contestant.folders(`${corpus}/skills`);
  return { whole: performance.now() - started };
}

async function yieldOfTexts() {
  const found = texts.map((one) => described(attempt(one)));
  const right = skills.filter(({ expected }, index) => countAgreeing([expected], [found[index]]) === 1);
  const probe = readFileSync(`${corpus}/probe/probe/SKILL.md`, "utf8");
  return {
    loaded: found.filter((description) => description !== undefined).length,
    right: right.length,
    ...keptFields(contestant.text(probe, "probe")),
  };
}

async function yieldOfFolders() {
  const found = (await contestant.folders(`${corpus}/skills`)).map(described);
  const expected = skills.map((skill) => skill.expected);
  return {
    loaded: found.filter((description) => description !== undefined).length,
    right: countAgreeing(expected, found),
    ...keptFields(await contestant.folders(`${corpus}/probe`)),
  };
}

function attempt({ content, directory }) {
  try {
    return contestant.text(content, directory);
  } catch {
    return undefined; // Refused.
  }
}

/** The description, if there is a usable one. */
function described(result) {
  if (result === undefined) return undefined;
  const description = contestant.description(result);
  return typeof description === "string" && description.trim() !== "" ? description : undefined;
}

function firstLine(error) {
  return String(error?.message ?? error).split("\n")[0];
}
