import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { countedServer } from "./counted-server.js";
import { ask, newConversation, scripted } from "./test-server.js";

const WRITTEN = ["active-turn", "conversation", "conversation", "session", "turn", "turn"];
const ONE_CALL = [{ calls: [{ tool: "skill_list", input: {} }] }, { text: "Hello there." }];

/** Servers that share a store. Each has a model of its own. */
function servers(steps: Parameters<typeof scripted>[0] = [{ text: "Hello there." }]) {
  const records = memoryRecords();
  return () => countedServer({ ...scripted(steps), app: "counted", records });
}

describe("calls of the store in a turn, without the appended events", () => {
  test("are 6 writes in a conversation that this server made, and in each turn that follows one of this server", async () => {
    const { server, turn } = servers()();
    const id = await newConversation(server);
    for (let time = 0; time < 3; time++) expect(await turn(id)).toEqual({ read: [], written: WRITTEN });
  });

  test("are 2 more writes with a tool call: one of the call and one of its result", async () => {
    const { server, turn } = servers(ONE_CALL)();
    expect(await turn(await newConversation(server))).toEqual({
      read: [],
      written: [...WRITTEN, "session", "session"].sort(),
    });
  });

  test("are 4 more reads in a conversation that another server made", async () => {
    const opened = servers();
    const id = await newConversation(opened().server);
    expect(await opened().turn(id)).toEqual({
      read: ["conversation", "session", "turn", "uploads"],
      written: WRITTEN,
    });
  });

  test("are 5 more reads after a turn of another server, if this server knows nothing of the conversation", async () => {
    const opened = servers();
    const first = opened();
    const id = await newConversation(first.server);
    await first.turn(id);
    expect(await opened().turn(id)).toEqual({
      // One is of the messages.
      read: ["conversation", "session", "session", "turn", "uploads"],
      written: WRITTEN,
    });
  });

  test("are 5 more reads and 2 refused writes after a turn of another server, if this server ran the turn before", async () => {
    const opened = servers();
    const [one, other] = [opened(), opened()];
    const id = await newConversation(one.server);
    await one.turn(id);
    await other.turn(id);
    for (const next of [one, other, one])
      expect(await next.turn(id)).toEqual({
        read: ["conversation", "session", "session", "turn", "uploads"],
        written: [...WRITTEN, "conversation", "turn"].sort(),
      });
  });

  test("are 2 more reads after a file was uploaded, and none in the turn after that", async () => {
    const { server, turn } = servers()();
    const id = await newConversation(server);
    await turn(id);
    await ask(server, `/conversations/${id}/uploads/a.txt`, { method: "PUT", body: "a" });
    expect(await turn(id)).toEqual({ read: ["session", "uploads"], written: WRITTEN });
    expect(await turn(id)).toEqual({ read: [], written: WRITTEN });
  });
});
