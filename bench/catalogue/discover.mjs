/**
 * One loader in its own process: started with its module (or the name of a floor) and a directory of skills, it answers the
 * parent's questions one by one. Its output is discarded.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { countAgreeing } from "../format/agreement.mjs";
import { floors } from "./floors.mjs";
import { withLongestStop } from "./longest-stop.mjs";

const [module, directory] = process.argv.slice(2);
const contestant = await contestantOf(module);
const { package: from, title, call, note, isLoop, error, folders } = contestant;
let skills = [];
const questions = { round, found };

process.on("message", async (question) => {
  try {
    process.send?.({ answer: await questions[question]() });
  } catch (failure) {
    process.send?.({ error: firstLine(failure) });
  }
});
process.on("disconnect", () => process.exit()); // The parent is gone; a peer's timer must not keep this alive.
process.send?.({
  answer: { from, title, call, note, isLoop, error, folders: !!folders, isFloor: module in floors },
});

/** Finds all skills again. `cpu` is of all threads; memory is the peak of the process so far. */
async function round() {
  const before = peak();
  skills = [];
  const used = process.cpuUsage();
  const started = performance.now();
  const { result, longest } = await withLongestStop(async () => await folders(`${directory}/skills`));
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(used);
  skills = result;
  return { took, cpu: (user + system) / 1000, longest, before, peak: peak() };
}

/** The result of the last round. */
function found() {
  const described = skills
    .map((skill) => contestant.description(skill))
    .filter((text) => typeof text === "string" && text.trim());
  const expected = JSON.parse(readFileSync(`${directory}/index.json`, "utf8"));
  return { found: described.length, right: countAgreeing(expected, described) };
}

async function contestantOf(name) {
  if (name in floors) return floors[name];
  try {
    return (await import(pathToFileURL(name).href)).default;
  } catch (failure) {
    return { error: firstLine(failure) };
  }
}

function peak() {
  return process.resourceUsage().maxRSS / 1024;
}

function firstLine(failure) {
  return String(failure?.message ?? failure).split("\n")[0];
}
