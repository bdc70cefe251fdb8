// A server with one turn whose model never answers. Its records are at the address that the argument gives. It answers each message of
// its parent with its memory and its share of a core.
import { setTimeout } from "node:timers/promises";
import { built } from "../built.mjs";
import { benchServer } from "./bench-server.mjs";

const WATCHED_MS = 10_000;

const [address = ""] = process.argv.slice(2);
const { openRecords } = await built("config");
const { records } = await openRecords(address);
const server = await benchServer([{ text: "late" }], { delayMs: 3_600_000, more: { records } });
const id = await server.conversation();
const answer = await server.say(id);
const { origin } = new URL(answer.url);
process.on("message", async () => {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await setTimeout(2000);
  }
  const before = process.cpuUsage();
  await setTimeout(WATCHED_MS);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ bytes: process.memoryUsage().rss, share: (user + system) / 1000 / WATCHED_MS });
});
process.once("SIGTERM", () => process.exit());
process.send?.({ address: origin, path: `/v1/conversations/${id}/stream` });
