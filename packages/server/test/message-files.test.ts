import type { JsonObject } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../agent/test/scripted-model.js";
import { turnTransport } from "../src/client.js";
import { ask, newConversation, testServer } from "./test-server.js";

const FILE = {
  type: "file",
  mediaType: "text/csv",
  filename: "o.csv",
  url: "data:text/csv;base64,YSxiCjEsMgo=",
};
const TEXT = { type: "text", text: "Sum it" };

describe("SERVE-100: the server refuses input that would not reach the model", () => {
  test.each<[string, JsonObject, RegExp]>([
    ["a file in the message", { message: { parts: [FILE, TEXT] } }, /type \\"file\\".*PUT .*uploads/],
    [
      "a part of an unknown type",
      { message: { parts: [TEXT, { type: "source-url", url: "x" }] } },
      /source-url/,
    ],
    ["a text part without text", { message: { parts: [TEXT, { type: "text" }] } }, /needs its text/],
    ["an unknown field of the message", { message: { parts: [TEXT], files: [] } }, /files/],
    ["a message of another role", { message: { role: "system", parts: [TEXT] } }, /role/],
    ["an unknown field of the body", { message: { parts: [TEXT] }, whenbusy: "queue" }, /whenbusy/],
  ])("%s", async (_, json, told) => {
    const { server, requests } = setUp();
    const id = await newConversation(server);
    const answer = await ask(server, `/conversations/${id}/turns`, { json });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(told);
    expect(await (await ask(server, `/conversations/${id}/messages`)).json()).toEqual([]);
    expect(requests).toEqual([]);
  });

  test("a message of the AI SDK with role, metadata and data parts is accepted", async () => {
    const { server } = setUp();
    const id = await newConversation(server);
    const parts = [TEXT, { type: "data-upload", data: { path: "inputs/a.csv", size: 3 } }];
    const message = { id: "m1", role: "user", metadata: { mark: 1 }, parts };
    expect((await ask(server, `/conversations/${id}/turns`, { json: { message } })).status).toBe(200);
  });
});

test("SERVE-101: the transport stores files of a message as uploads, and the model is told about them", async () => {
  const { server, requests } = setUp();
  const transport = turnTransport({
    ...{ server: "http://localhost/v1", headers: { authorization: "Bearer ada" } },
    fetch: async (input, init) => await server.fetch(new Request(input as string, init)),
  });
  const messages = [
    { id: "m1", role: "user", parts: [FILE, { ...FILE, url: "data:text/csv;base64,eAo=" }, TEXT] },
  ];
  const stream = await transport.sendMessages({ chatId: "new", messages, abortSignal: undefined });
  for await (const _ of stream as unknown as AsyncIterable<unknown>);
  const told = JSON.stringify(requests[0]?.prompt.at(-1));
  expect(told).toMatch(
    /Sum it.*Uploaded files: .*o\.csv \(text\/csv, 8 bytes\); .*2-o\.csv \(text\/csv, 2 bytes\)/,
  );
  const file = await ask(server, "/conversations/new/files/content?path=work/inputs/o.csv");
  expect(await file.text()).toBe("a,b\n1,2\n");
  const [message] = (await (await ask(server, "/conversations/new/messages")).json()) as {
    parts: unknown[];
  }[];
  expect(message?.parts).toMatchObject([
    { type: "data-upload", data: { path: "work/inputs/o.csv", size: 8 } },
    { type: "data-upload", data: { path: "work/inputs/2-o.csv", size: 2 } },
    TEXT,
  ]);
});

function setUp() {
  const { model, requests } = scriptedModel([{ text: "ok" }]);
  const agents = { assistant: { modelConfig: { provider: "test", model: "test" } } };
  return { server: testServer({ agents, dependencies: { models: () => model } }), requests };
}
