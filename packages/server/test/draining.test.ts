import { delegate, untilAborted } from "@skillwright/core/adapter";
import { memoryArtifacts, memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { heldTool, withTool } from "./held-tool.js";
import { allEvents, ask, newConversation, say, testServer } from "./test-server.js";

test("SERVE-24: a server that drains takes no new turns, is not ready, and waits for running ones", async () => {
  const gate = heldTool();
  const server = testServer(withTool(gate.tool));
  const id = await newConversation(server);
  const answer = await say(server, id, "Wait");
  await gate.called;
  const drained = server.drain({ forMs: 2 ** 31 - 1 });
  const refused = await say(server, await newConversation(server), "Hello");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await ask(server, "/ready")).status).toBe(503);
  expect((await ask(server, "/health")).status).toBe(200);
  gate.open();
  await drained;
  expect((await allEvents(answer)).at(-2)).toMatchObject({ data: { type: "finish", finishReason: "stop" } });
});

test("draining ends at its time although a turn runs", async () => {
  const gate = heldTool();
  const server = testServer(withTool(gate.tool));
  await say(server, await newConversation(server), "Wait");
  await gate.called;
  await server.drain({ forMs: 1 });
  expect((await ask(server, "/ready")).status).toBe(503);
});

test("SERVE-25: a closed server ends the streams of turns that run elsewhere after a whole event, and readers go on there", async () => {
  const gate = heldTool();
  const shared = {
    ...{
      app: "shared",
      records: memoryRecords(),
      artifacts: memoryArtifacts(),
    },
    ...withTool(gate.tool),
  };
  const [running, leaving] = [testServer(shared), testServer(shared)];
  const id = await newConversation(running);
  const whole = allEvents(await say(running, id, "Wait"));
  await gate.called;
  const reading = await ask(leaving, `/conversations/${id}/stream`);
  const [first, rest] = (reading.body as ReadableStream<Uint8Array>).tee();
  await first.getReader().read();
  await leaving.close();
  const text = await new Response(rest).text();
  expect(text).toMatch(/\n\n: the server is being closed; continue after the last id\nretry: 1000\n\n$/);
  expect(text).not.toContain("[DONE]");
  const last = [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? "";
  gate.open();
  const headers = { "last-event-id": last };
  const continued = await ask(running, reading.headers.get("content-location")?.replace("/v1", "") ?? "", {
    headers,
  });
  expect(await allEvents(continued)).toEqual((await whole).slice(Number(last) + 1));
});

test("closing does not wait for a store that does not answer", async () => {
  const records = delegate(memoryRecords(), {
    list: async (_, { signal } = {}) => await untilAborted(new Promise<never>(() => undefined), signal),
  });
  await testServer({ records }).close();
});
