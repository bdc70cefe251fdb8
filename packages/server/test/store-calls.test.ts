import type { RecordStore } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { allEvents, newConversation, say, scripted, testServer } from "./test-server.js";

const READ = ["conversation", "conversation", "session", "session", "turn", "turn", "uploads"];
const WRITTEN = ["active-turn", "conversation", "conversation", "session", "turn", "turn"];

test("a turn makes 7 reads and 6 writes in the store, without the appended events", async () => {
  const calls = await callsOf([{ text: "Hello there." }]);
  await expect.poll(calls).toEqual({ read: READ, written: WRITTEN });
});

test("a tool call costs 2 more writes: one of the call and one of its result", async () => {
  const calls = await callsOf([{ calls: [{ tool: "skill_list", input: {} }] }, { text: "Hello there." }]);
  await expect.poll(calls).toEqual({ read: READ, written: [...WRITTEN, "session", "session"].sort() });
});

/**
 * The kinds of records that a turn reads and writes while a client reads its stream. Appended events are not counted, because their
 * number depends on how fast they come.
 */
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
  // The lease is so long that the turn is not renewed during the test.
  const server = testServer({ ...scripted(steps), records, leaseMs: 3_600_000 });
  const conversation = await newConversation(server);
  for (const calls of [read, written]) calls.length = 0;
  await allEvents(await say(server, conversation, "Hi"));
  return () => ({ read: [...read].sort(), written: [...written].sort() });
}
