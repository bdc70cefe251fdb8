import { median } from "../format/statistics.mjs";
import { benchServer } from "./bench-server.mjs";

const ROUNDS = 5;

/** A turn with a run of one second: of one user, then of five at once. */
export async function measure() {
  const server = await benchServer([{ command: "sleep 1" }, { text: "Done." }]);
  await turn(server, "warm");
  /** @type {[number[], number[]]} */
  const [alone, together] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await turn(server, `one-${round}`));
    const all = Array.from({ length: 5 }, (_, user) => turn(server, `user-${round}-${user}`));
    together.push(Math.max(...(await Promise.all(all))));
  }
  await server.close();
  const [one, five] = [median(alone), median(together)];
  return `${(five / one).toFixed(2)} times (${one.toFixed(0)} ms, the slowest of five ${five.toFixed(0)} ms)`;
}

async function turn(server, user) {
  const id = await server.conversation(user);
  const started = performance.now();
  const text = await (await server.say(id, user)).text();
  if (!text.includes('"exitCode":0')) throw new Error(`The run failed: ${text}`);
  return performance.now() - started;
}
