import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { countedServer } from "./counted-server.js";
import { newConversation, scripted } from "./test-server.js";

const READ = ["conversation", "session", "session", "turn", "uploads"];
const WRITTEN = ["active-turn", "conversation", "conversation", "session", "turn", "turn"];

test("a turn makes 5 reads and 6 writes in the store, without the appended events", async () => {
  const { server, turn } = countedServer({
    ...scripted([{ text: "Hello there." }]),
    records: memoryRecords(),
  });
  expect(await turn(await newConversation(server))).toEqual({ read: READ, written: WRITTEN });
});

test("a tool call costs 2 more writes: one of the call and one of its result", async () => {
  const steps = [{ calls: [{ tool: "skill_list", input: {} }] }, { text: "Hello there." }];
  const { server, turn } = countedServer({ ...scripted(steps), records: memoryRecords() });
  expect(await turn(await newConversation(server))).toEqual({
    read: READ,
    written: [...WRITTEN, "session", "session"].sort(),
  });
});
