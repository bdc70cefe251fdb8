import { layOutSkills } from "../catalogue/lay-out-skills.mjs";
import { quantile } from "../format/statistics.mjs";
import { servedFolder } from "./served-folder.mjs";

const CLIENTS = 200;

/** All at once: each client connects, lists the tools and calls `skill_list`; beside one after the other. */
export async function measure(/** @type {string} */ place) {
  layOutSkills(`${place}/clients`, 100);
  const server = await servedFolder(`${place}/clients/skills`);
  await visit(server);
  const { bytes } = await server.memory();
  const started = performance.now();
  const waits = await Promise.all(Array.from({ length: CLIENTS }, () => visit(server)));
  const together = performance.now() - started;
  const { peak } = await server.memory();
  const later = performance.now();
  for (let client = 0; client < CLIENTS; client++) await visit(server);
  const inTurn = performance.now() - later;
  await server.close();
  const failed = waits.filter((wait) => wait === undefined).length;
  const each = waits.map((wait) => wait ?? 0);
  return `${failed} failed, all ${together.toFixed(0)} ms (one after the other ${inTurn.toFixed(0)} ms), p95 ${quantile(each, 0.95).toFixed(0)} ms, ${((peak - bytes) / CLIENTS / 1024).toFixed(0)} KiB each`;
}

/** Milliseconds; `undefined` where an answer is an error. */
async function visit(server) {
  const started = performance.now();
  const client = await server.client();
  const answers = [await client.initialize(), await client.ask("tools/list")];
  answers.push(await client.ask("tools/call", { name: "skill_list", arguments: {} }));
  client.close();
  const isServed = answers.every(({ result }) => result && !result.isError);
  return isServed ? performance.now() - started : undefined;
}
