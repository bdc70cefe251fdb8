import { setTimeout } from "node:timers/promises";
import { layOutSkills } from "../catalogue/lay-out-skills.mjs";
import { median } from "../format/statistics.mjs";
import { servedFolder } from "./served-folder.mjs";

const SKILLS = 1000;
const NEW_PROCESSES = 9;
const REPEATED = 50;
/** A file that was changed less than two seconds ago is looked at twice, and its header is not kept for later processes. */
const SETTLED_MS = 2500;

/**
 * Measures `resources/list` in new processes: the first answer, the same together with `initialize` before it, which lists the skills, and
 * later answers. Every second process finds the headers that the one before it has kept.
 */
export async function measure(/** @type {string} */ place) {
  layOutSkills(`${place}/lists`, SKILLS);
  await setTimeout(SETTLED_MS);
  /** @type {{ first: number[], later: number[], cold: number[], warm: number[] }} */
  const times = { first: [], later: [], cold: [], warm: [] };
  let listed = 0;
  for (let round = 0; round < NEW_PROCESSES; round++)
    for (const kind of /** @type {const} */ (["first", "later"])) {
      const server = await servedFolder(`${place}/lists/skills`, `${place}/lists/cache-${round}`);
      const client = await server.client();
      const list = async () => (await client.ask("resources/list")).result.resources.length;
      const initialize = await timed(() => client.initialize());
      const cold = await timed(list);
      times.cold.push(cold);
      times[kind].push(initialize + cold);
      for (let again = 0; again < REPEATED; again++)
        times.warm.push(
          await timed(async () => {
            listed = await list();
          }),
        );
      client.close();
      await server.close();
    }
  return `${median(times.cold).toFixed(0)} ms the first time; with \`initialize\` before it ${median(times.first).toFixed(0)} ms in the first process of a user, ${median(times.later).toFixed(0)} ms in later ones; ${median(times.warm).toFixed(2)} ms again, ${listed} resources`;
}

async function timed(/** @type {() => Promise<unknown>} */ work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
