import { built } from "../built.mjs";
import { median } from "../format/statistics.mjs";
import { benchServer } from "./bench-server.mjs";
import { overStores } from "./over-stores.mjs";

const FEW = 10;
const MANY = 1000;
const MEASURED = 31;

/** The time of a turn with text after many turns of its conversation, beside that of one after few, measured alternately. */
export async function measure() {
  return await overStores(besideFew);
}

async function besideFew(/** @type {string} */ address) {
  const { openRecords } = await built("config");
  const { records, close } = await openRecords(address);
  const server = await benchServer([{ text: "a few words of an answer" }], { more: { records } });
  const many = await withTurns(server, MANY);
  /** @type {{ few: number[], many: number[] }} */
  const times = { few: [], many: [] };
  for (let round = 0; round < MEASURED; round++) {
    // A conversation of few turns must not become one of many.
    times.few.push(await timed(server, await withTurns(server, FEW)));
    times.many.push(await timed(server, many));
  }
  await server.close();
  await close?.();
  const [a, b] = [median(times.many), median(times.few)];
  return `${(a / b).toFixed(2)} times (${a.toFixed(1)} ms after ${MANY} turns, ${b.toFixed(1)} after ${FEW})`;
}

async function withTurns(server, count) {
  const id = await server.conversation();
  for (let done = 0; done < count; done++) await timed(server, id);
  return id;
}

async function timed(server, id) {
  const started = performance.now();
  const answer = await server.say(id);
  const text = await answer.text();
  if (!text.includes('"finishReason":"stop"')) throw new Error(`the turn did not end: ${text.slice(-300)}`);
  return performance.now() - started;
}
