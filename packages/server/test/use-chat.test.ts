import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import type { AgentServer, TurnDataParts } from "../src/index.js";
import { heldTool, withTool } from "./held-tool.js";
import { ask, newConversation, scripted, testServer } from "./test-server.js";

type Message = UIMessage<unknown, TurnDataParts>;

test("SERVE-11: the AI SDK's transport sends a message, and gets all of it again after its connection was cut", async () => {
  const words = Array.from({ length: 200 }, (_, n) => `word${n}`).join(" ");
  const gate = heldTool();
  const server = testServer(withTool(gate.tool, words));
  const chatId = await newConversation(server);
  const transport = transportTo(server);
  const cut = new AbortController();
  const first = await transport.sendMessages({
    ...{ chatId, trigger: "submit-message", messageId: undefined, abortSignal: cut.signal },
    messages: [{ id: "question", role: "user", parts: [{ type: "text", text: "Count" }] }],
  });
  const reader = first.getReader();
  expect((await reader.read()).value).toMatchObject({ type: "start" });
  cut.abort();
  await gate.called;
  const stream = await transport.reconnectToStream({ chatId });
  gate.open();
  const resumed = await lastMessage(stream as ReadableStream<UIMessageChunk>);
  const history = (await (await ask(server, `/conversations/${chatId}/messages`)).json()) as Message[];
  expect(history.map(({ id, role }) => ({ id, role }))).toEqual([
    { id: "question", role: "user" },
    { id: resumed.id, role: "assistant" },
  ]);
  for (const message of [resumed, history[1] as Message]) {
    expect(textOf(message)).toBe(words);
    expect(message.parts.find(({ type }) => type === "dynamic-tool")).toMatchObject({
      ...{ toolName: "hold", state: "output-available" },
    });
  }
  expect(await transport.reconnectToStream({ chatId })).toBeNull();
});

test("the history is what the AI SDK makes of the stream", async () => {
  const server = testServer(
    scripted([{ calls: [{ tool: "workspace_list", input: {} }] }, { text: "Done and well." }]),
  );
  const chatId = await newConversation(server);
  const stream = await transportTo(server).sendMessages({
    ...{ chatId, trigger: "submit-message", messageId: undefined, abortSignal: undefined },
    messages: [{ id: "question", role: "user", parts: [{ type: "text", text: "List" }] }],
  });
  const message = await lastMessage(stream);
  const history = (await (await ask(server, `/conversations/${chatId}/messages`)).json()) as Message[];
  const plain = ({ id, role, parts }: Message) => JSON.parse(JSON.stringify({ id, role, parts }));
  expect(plain(history[1] as Message)).toEqual(plain(message));
});

function transportTo(server: AgentServer): DefaultChatTransport<Message> {
  return new DefaultChatTransport<Message>({
    api: "http://localhost/v1/conversations",
    headers: { authorization: "Bearer ada" },
    fetch: async (input, init) => await server.fetch(new Request(input as string, init)),
    prepareSendMessagesRequest: ({ id, messages, api }) => ({
      api: `${api}/${id}/turns`,
      body: { message: messages.at(-1) },
    }),
  });
}

async function lastMessage(stream: ReadableStream<UIMessageChunk>): Promise<Message> {
  let last: Message | undefined;
  for await (const message of readUIMessageStream<Message>({ stream })) last = message;
  if (!last) throw new Error("The stream has no message.");
  return last;
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
