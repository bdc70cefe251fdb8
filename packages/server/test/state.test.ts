import { expect, test } from "vitest";
import { heldTool, withTool } from "./held-tool.js";
import { ask, newConversation, say, testServer } from "./test-server.js";

test("WEB-05: tells who asks, the largest upload and which turns are active, each user their own", async () => {
  const gate = heldTool();
  const server = testServer({ ...withTool(gate.tool), maxUploadBytes: 1000 });
  const read = async (path: string, user?: string) =>
    await (await ask(server, path, user ? { user } : {})).json();
  expect(await read("/server")).toEqual({ user: "ada", maxUploadBytes: 1000, isDraining: false });
  const id = await newConversation(server);
  expect(await read("/turns")).toEqual([]);
  expect(await read(`/conversations/${id}`)).not.toHaveProperty("turn");
  const turn = await say(server, id, "Wait");
  await gate.called;
  const [active] = (await read("/turns")) as { id: string; startedAt: string }[];
  expect(active).toMatchObject({ conversation: id });
  expect(await read(`/conversations/${id}`)).toMatchObject({
    turn: { id: active?.id, startedAt: active?.startedAt },
  });
  expect(await read("/turns", "bob")).toEqual([]);
  gate.open();
  await turn.text();
  expect(await read("/turns")).toEqual([]);
});
