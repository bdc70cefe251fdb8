import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { median } from "../format/statistics.mjs";
import { benchServer } from "./bench-server.mjs";
import { partsOf } from "./scripted-model.mjs";

const ROUNDS = 101;
const STEPS = [{ text: "a few words of an answer" }];

/** The time until the first piece of text, in turns. */
export async function measure() {
  const server = await benchServer(STEPS);
  const bare = await bareStream();
  /** @type {{ server: number[], bare: number[] }} */
  const times = { server: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const id = await server.conversation();
    times.server.push(await untilText(() => server.say(id)));
    times.bare.push(await untilText(() => fetch(bare.address, { method: "POST", body: "{}" })));
  }
  await server.close();
  bare.close();
  const [own, floor] = [median(times.server.slice(1)), median(times.bare.slice(1))];
  return `${(own / floor).toFixed(2)} times (${own.toFixed(2)} ms, ${floor.toFixed(2)} ms)`;
}

async function untilText(ask) {
  const started = performance.now();
  const answer = await ask();
  let text = "";
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes('"text-delta"')) break;
  }
  return performance.now() - started;
}

async function bareStream() {
  const app = new Hono().post("/", (c) =>
    streamSSE(c, async (stream) => {
      for (const part of partsOf(STEPS[0])) await stream.writeSSE({ data: JSON.stringify(part) });
    }),
  );
  const http = createAdaptorServer({ fetch: app.fetch });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", () => resolve(undefined)));
  return {
    address: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (http.address()).port}/`,
    close: () => {
      if ("closeAllConnections" in http) http.closeAllConnections();
      http.close();
    },
  };
}
