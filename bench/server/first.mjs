import { createAdaptorServer } from "@hono/node-server";
import { streamText } from "ai";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { median } from "../format/statistics.mjs";
import { benchServer } from "./bench-server.mjs";
import { partsOf, scriptedModel } from "./scripted-model.mjs";

const ROUNDS = 101;
const STEPS = [{ text: "a few words of an answer" }];

/**
 * The time until the first piece of text, in turns: of the server, of its model alone as the AI SDK streams it, and of a
 * bare stream. The figure is what the server adds to its model, beside the bare stream.
 */
export async function measure() {
  const server = await benchServer(STEPS);
  const bare = await bareStream();
  const model = scriptedModel(STEPS);
  /** @type {{ server: number[], model: number[], bare: number[] }} */
  const times = { server: [], model: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const id = await server.conversation();
    times.server.push(await untilText(() => server.say(id)));
    times.model.push(await modelAlone(model));
    times.bare.push(await untilText(() => fetch(bare.address, { method: "POST", body: "{}" })));
  }
  await server.close();
  bare.close();
  const [own, alone, floor] = [times.server, times.model, times.bare].map((all) => median(all.slice(1)));
  return `${((own - alone) / floor).toFixed(2)} times (${own.toFixed(2)} ms, of which the model ${alone.toFixed(2)} ms; bare ${floor.toFixed(2)} ms)`;
}

async function modelAlone(/** @type {any} */ model) {
  const started = performance.now();
  for await (const part of streamText({ model, prompt: "Go" }).stream) if (part.type === "text-delta") break;
  return performance.now() - started;
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
