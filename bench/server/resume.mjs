import { seededRandom } from "../format/random.mjs";
import { benchServer } from "./bench-server.mjs";

const RESUMPTIONS = 10_000;
const AT_ONCE = 20;
const WORDS = Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ");

/** Reads of a turn from random offsets: each must have all events from there, once, to the end. */
export async function measure() {
  const server = await benchServer([{ text: WORDS }]);
  const id = await server.conversation();
  const answer = await server.say(id);
  const path = (answer.headers.get("content-location") ?? "").replace("/v1", "");
  const whole = eventsOf(await answer.text());
  const random = seededRandom(1);
  let lost = 0;
  let left = RESUMPTIONS;
  const started = performance.now();
  const reader = async () => {
    while (left-- > 0) {
      const offset = random.pick([...whole.keys()]);
      const rest = eventsOf(await (await server.ask(`${path}?offset=${offset}`)).text());
      if (String(rest) !== String(whole.slice(offset))) lost++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  const seconds = (performance.now() - started) / 1000;
  await server.close();
  if (lost > 0) throw new Error(`${lost} of ${RESUMPTIONS} resumptions lost events.`);
  return `${lost} of ${RESUMPTIONS}, of a turn with ${whole.length} events (${(RESUMPTIONS / seconds).toFixed(0)} a second)`;
}

function eventsOf(text) {
  return text.split("\n\n").filter((event) => event.startsWith("id:"));
}
