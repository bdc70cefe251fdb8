import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import type { AgentServer } from "../src/index.js";
import { heldTool, withTool } from "./held-tool.js";
import { allEvents, ask, newConversation, type Sent, say, testServer } from "./test-server.js";

/** Sends a message that waits where the conversation is busy. */
async function queue(server: AgentServer, id: string, text: string) {
  const json = { message: { parts: [{ type: "text", text }] }, whenBusy: "queue" };
  const answer = await ask(server, `/conversations/${id}/turns`, { json });
  const told = answer.status === 202 ? ((await answer.json()) as { turn: string; place: number }) : undefined;
  return { answer, ...told };
}

const isEnded = (events: readonly Sent[]) =>
  events.some(({ data }) => data !== "[DONE]" && data["type"] === "finish");

const texts = async (server: AgentServer, id: string) =>
  (
    (await (await ask(server, `/conversations/${id}/messages`)).json()) as {
      role: string;
      parts: { text?: string }[];
    }[]
  )
    .filter(({ role }) => role === "user")
    .map(({ parts }) => parts[0]?.text);

test("SERVE-51: a message during a turn is refused, or waits for its end where the client asks so, in order", async () => {
  const gate = heldTool();
  const server = testServer(withTool(gate.tool));
  const id = await newConversation(server);
  const first = await say(server, id, "one");
  await gate.called;
  expect((await say(server, id, "refused")).status).toBe(409);
  const second = await queue(server, id, "two");
  const third = await queue(server, id, "three");
  const fourth = await queue(server, id, "four");
  expect([second.place, third.place, fourth.place]).toEqual([1, 2, 3]);
  const address = second.answer.headers.get("content-location");
  expect(address).toBe(`/v1/conversations/${id}/turns/${second.turn}/stream`);
  const stream = await ask(server, `/conversations/${id}/turns/${second.turn}/stream`);
  expect(stream.status).toBe(200);
  const taken = () => ask(server, `/conversations/${id}/turns/${third.turn}`, { method: "DELETE" });
  expect([(await taken()).status, (await taken()).status]).toEqual([204, 404]);
  expect(await (await ask(server, `/conversations/${id}/turns`)).json()).toMatchObject({
    active: expect.any(String),
    queued: [{ turn: second.turn }, { turn: fourth.turn, message: { parts: [{ text: "four" }] } }],
  });
  expect((await ask(server, `/conversations/${id}/turns`, { user: "bob" })).status).toBe(404);

  gate.open();
  expect(isEnded(await allEvents(first))).toBe(true);
  const events = await allEvents(stream);
  expect(events[0]).toMatchObject({ id: 0, data: { type: "start", messageId: second.turn } });
  expect(isEnded(events)).toBe(true);
  expect(
    isEnded(await allEvents(await ask(server, `/conversations/${id}/turns/${fourth.turn}/stream`))),
  ).toBe(true);
  expect(await texts(server, id)).toEqual(["one", "two", "four"]);
  expect((await queue(server, id, "free")).answer.status).toBe(200);
});

test("SERVE-52: a message that waits in a server that is closed starts its turn in the next one", async () => {
  const stores = { records: memoryRecords(), app: "queued" };
  const gate = heldTool();
  const one = testServer({ ...withTool(gate.tool), ...stores });
  const id = await newConversation(one);
  await say(one, id, "first");
  await gate.called;
  const { turn } = await queue(one, id, "second");
  gate.open();
  const drained = one.drain({ forMs: 60_000 });
  await drained;
  await one.close();
  const next = testServer({ ...withTool(gate.tool), ...stores });
  expect(await (await ask(next, `/conversations/${id}/turns`)).json()).toMatchObject({ queued: [{ turn }] });
  expect(isEnded(await allEvents(await ask(next, `/conversations/${id}/turns/${turn}/stream`)))).toBe(true);
  expect(await (await ask(next, `/conversations/${id}/turns`)).json()).toEqual({ queued: [] });
  expect(await texts(next, id)).toEqual(["first", "second"]);
});

test("SERVE-53: a conversation holds 20 messages that wait, and its deletion removes them", async () => {
  const gate = heldTool();
  const server = testServer(withTool(gate.tool));
  const id = await newConversation(server);
  const first = await say(server, id, "first");
  await gate.called;
  for (let place = 1; place <= 20; place++) expect((await queue(server, id, "more")).place).toBe(place);
  const refused = await queue(server, id, "too many");
  expect(refused.answer.ok).toBe(false);
  expect(await refused.answer.json()).toMatchObject({
    code: "LIMIT_EXCEEDED",
    detail: expect.stringContaining("20"),
  });
  expect((await ask(server, `/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
  await allEvents(first);
  expect((await ask(server, `/conversations/${id}/turns`)).status).toBe(404);
});
