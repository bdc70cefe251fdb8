/** One loader in a process of its own: finds the skills a few times, the first time knowing nothing. */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { countAgreeing } from "../format/agreement.mjs";
import { median } from "../format/statistics.mjs";
import { withLongestStop } from "./longest-stop.mjs";

const [answer, module, directory, rounds] = process.argv.slice(2);
writeFileSync(answer, JSON.stringify(await measured()));
process.exit(); // A peer's timer must not keep this alive.

async function measured() {
  try {
    const { default: contestant } = await import(pathToFileURL(module).href);
    if (!contestant.folders) return { skipped: true };
    const { package: from, title, call, note } = contestant;
    const times = [];
    const stops = [];
    let skills = [];
    for (let round = 0; round <= Number(rounds); round++) {
      const started = performance.now();
      const { result, longest } = await withLongestStop(
        async () => await contestant.folders(`${directory}/skills`),
      );
      times.push(performance.now() - started);
      stops.push(longest);
      skills = result;
    }
    // Before the answers are compared, which takes memory too.
    const peak = process.resourceUsage().maxRSS / 1024;
    const found = skills
      .map((skill) => contestant.description(skill))
      .filter((text) => typeof text === "string" && text.trim());
    const expected = JSON.parse(readFileSync(`${directory}/index.json`, "utf8"));
    return {
      facts: { from, title, call, note },
      cold: times[0],
      median: median(times.slice(1)),
      gap: Math.max(...stops),
      peak,
      found: found.length,
      right: countAgreeing(expected, found),
    };
  } catch (error) {
    return { error: String(error?.message ?? error).split("\n")[0] };
  }
}
