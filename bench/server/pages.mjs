import { built } from "../built.mjs";
import { median } from "../format/statistics.mjs";
import { benchServer } from "./bench-server.mjs";
import { overStores } from "./over-stores.mjs";

const FEW = 100;
const MANY = 100_000;
const AT_ONCE = 16;
const MEASURED = 21;

/** The first page of a user's conversations, of many beside few, with records in a folder and in SQLite. */
export async function measure() {
  return await overStores(besideFew);
}

async function besideFew(/** @type {string} */ address) {
  const { openRecords } = await built("config");
  const { records, close } = await openRecords(address);
  const server = await benchServer([{ text: "late" }], { more: { records } });
  for (const [user, count] of /** @type {const} */ ([
    ["few", FEW],
    ["many", MANY],
  ])) {
    let begun = 0;
    const work = async () => {
      while (begun++ < count) await server.conversation(user);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  /** @type {Record<string, number[]>} */
  const times = { few: [], many: [] };
  for (let round = 0; round < MEASURED; round++)
    for (const user of ["few", "many"]) times[user]?.push(await page(server, user));
  await server.close();
  await close?.();
  const [a, b] = [median(times.many), median(times.few)];
  return `${(a / b).toFixed(2)} times (${a.toFixed(1)} ms of ${MANY}, ${b.toFixed(1)} of ${FEW})`;
}

async function page(server, user) {
  const started = performance.now();
  const answer = await server.ask("/conversations?limit=50", { user });
  const shown = await answer.json();
  if (shown.length !== 50) throw new Error(`a page has ${shown.length} conversations`);
  return performance.now() - started;
}
