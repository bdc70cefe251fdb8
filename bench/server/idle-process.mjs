// A server with one turn whose model never answers. Tells its memory when it is asked.
import { setTimeout } from "node:timers/promises";
import { benchServer } from "./bench-server.mjs";

const server = await benchServer([{ text: "late" }], { delayMs: 3_600_000 });
const id = await server.conversation();
const answer = await server.say(id);
const { origin } = new URL(answer.url);
process.on("message", async () => {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await setTimeout(2000);
  }
  process.send?.({ bytes: process.memoryUsage().rss });
});
process.once("SIGTERM", () => process.exit());
process.send?.({ address: origin, path: `/v1/conversations/${id}/stream` });
