import { layOutSkills } from "../catalogue/lay-out-skills.mjs";
import { median } from "../format/statistics.mjs";
import { servedFolder } from "./served-folder.mjs";

const SKILLS = 1000;
const NEW_PROCESSES = 5;
const REPEATED = 50;

/** `resources/list` in a new process, from before `initialize`, which lists the skills too, and again afterwards. */
export async function measure(/** @type {string} */ place) {
  layOutSkills(`${place}/lists`, SKILLS);
  /** @type {{ cold: number[], warm: number[] }} */
  const times = { cold: [], warm: [] };
  let listed = 0;
  for (let round = 0; round < NEW_PROCESSES; round++) {
    const server = await servedFolder(`${place}/lists/skills`);
    const client = await server.client();
    const list = async () => (await client.ask("resources/list")).result.resources.length;
    times.cold.push(await timed(() => client.initialize().then(list)));
    for (let again = 0; again < REPEATED; again++)
      times.warm.push(
        await timed(async () => {
          listed = await list();
        }),
      );
    client.close();
    await server.close();
  }
  return `${median(times.cold).toFixed(1)} ms cold, ${median(times.warm).toFixed(2)} ms warm, ${listed} resources`;
}

async function timed(/** @type {() => Promise<unknown>} */ work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
