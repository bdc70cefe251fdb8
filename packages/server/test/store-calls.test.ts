import type { RecordStore } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { allEvents, newConversation, say, scripted, testServer } from "./test-server.js";

const READ = ["conversation", "conversation", "session", "session", "turn", "turn", "uploads"];
const WRITTEN = ["active-turn", "conversation", "conversation", "session", "session", "turn", "turn"];

test("a turn reads 7 times from the store and writes 7 times, besides the events that it streams", async () => {
  const calls = await callsOf([{ text: "Hello there." }]);
  await expect.poll(calls).toEqual({ read: READ, written: WRITTEN });
});

test("a call of a tool costs 2 more writes, of what is to be called and of its result", async () => {
  const calls = await callsOf([{ calls: [{ tool: "skill_list", input: {} }] }, { text: "Hello there." }]);
  await expect.poll(calls).toEqual({ read: READ, written: [...WRITTEN, "session", "session"].sort() });
});

/** Which records a turn reads and writes, sorted, while a client reads along. Events are apart: their number depends on their pace. */
async function callsOf(steps: Parameters<typeof scripted>[0]) {
  const store = memoryRecords();
  const read: (string | undefined)[] = [];
  const written: (string | undefined)[] = [];
  const noted =
    <Given extends unknown[], Result>(to: typeof read, call: (...given: Given) => Result) =>
    (...given: Given): Result => {
      to.push((given[0] as readonly string[])[0]);
      return call(...given);
    };
  const records: RecordStore = delegate(store, {
    get: noted(read, store.get),
    read: noted(read, store.read),
    write: noted(written, store.write),
    delete: noted(written, store.delete),
  });
  // So long that the turn is not renewed meanwhile.
  const server = testServer({ ...scripted(steps), records, leaseMs: 3_600_000 });
  const conversation = await newConversation(server);
  for (const calls of [read, written]) calls.length = 0;
  await allEvents(await say(server, conversation, "Hi"));
  return () => ({ read: [...read].sort(), written: [...written].sort() });
}
