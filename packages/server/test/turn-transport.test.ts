import { type ChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { turnTransport } from "../src/client.js";
import type { AgentServer, TurnDataParts } from "../src/index.js";
import { heldTool, withTool } from "./held-tool.js";
import { allEvents, ask, newConversation, scripted, testServer } from "./test-server.js";

type Message = UIMessage<unknown, TurnDataParts>;

const SAID = {
  ...({ trigger: "submit-message", messageId: undefined, abortSignal: undefined } as const),
  messages: [{ id: "question", role: "user" as const, parts: [{ type: "text" as const, text: "Count" }] }],
};

/** A transport whose n-th answer with a stream breaks after `bytes[n]` bytes. */
function transportTo(server: AgentServer, bytes: readonly number[] = []) {
  let streams = 0;
  const cut = async (input: string | URL | Request, init?: RequestInit) => {
    const answer = await server.fetch(new Request(input as string, init));
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
    const most = isStream ? bytes[streams++] : undefined;
    return most === undefined ? answer : new Response(broken(answer, most), answer);
  };
  return turnTransport({
    ...{ server: "http://localhost/v1", headers: { authorization: "Bearer ada" } },
    fetch: cut,
  });
}

function broken({ body }: Response, most: number): ReadableStream<Uint8Array> {
  let left = most;
  return (body as ReadableStream<Uint8Array>).pipeThrough(
    new TransformStream({
      transform: (piece, controller) => {
        controller.enqueue(piece.slice(0, left));
        left -= piece.byteLength;
        if (left <= 0) controller.error(new TypeError("terminated"));
      },
    }),
  );
}

async function chunksOf(stream: ReadableStream<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const chunk of stream as unknown as AsyncIterable<unknown>) all.push(chunk);
  return all;
}

describe("the transport of a server's chats", () => {
  test("SERVE-35: goes on from the next event wherever its connection breaks", async () => {
    const words = "a word and another, é and 漢";
    const server = testServer(
      scripted([{ calls: [{ tool: "workspace_list", input: {} }] }, { text: words }]),
    );
    const breaks = Array.from({ length: 24 }, (_, index) => [60 + index * 60, 1 + index * 45]);
    await Promise.all(
      breaks.map(async (bytes) => {
        const chatId = await newConversation(server);
        const chunks = await chunksOf(await transportTo(server, bytes).sendMessages({ ...SAID, chatId }));
        const turn = (chunks[0] as { messageId: string }).messageId;
        const whole = await allEvents(await ask(server, `/conversations/${chatId}/turns/${turn}/stream`));
        expect(chunks).toEqual(whole.flatMap(({ data }) => (data === "[DONE]" ? [] : [data])));
      }),
    );
  });

  test("SERVE-99: line separators of Unicode do not end an event of a stream", async () => {
    const words = "one\u2028two\u2029three\u0085four\rfive\r\nsix\u2028";
    const command = `echo ${JSON.stringify(words)}`;
    const server = testServer(
      scripted([{ calls: [{ tool: "workspace_run", input: { command } }] }, { text: words }]),
    );
    const chatId = await newConversation(server);
    const chunks = await chunksOf(await transportTo(server, [300]).sendMessages({ ...SAID, chatId }));
    const [call] = chunks.filter((chunk) => Object(chunk).type === "tool-input-available");
    expect(call).toMatchObject({ input: { command } });
    const said = chunks.map((chunk) => (Object(chunk).type === "text-delta" ? Object(chunk).delta : ""));
    expect(said.join("")).toBe(words);
    expect(chunks.at(-1)).toMatchObject({ type: "finish" });
  });

  test("is one for the AI SDK, with the parts of a turn", async () => {
    const server = testServer(scripted([{ text: "Done and well." }]));
    const transport: ChatTransport<Message> = transportTo(server) as never;
    // The same without a change of type, for the parts that the AI SDK reads.
    const chatId = await newConversation(server);
    const stream = await transport.sendMessages({ ...SAID, chatId });
    let last: Message | undefined;
    for await (const message of readUIMessageStream<Message>({ stream })) last = message;
    expect(last?.parts.map(({ type }) => type)).toEqual(["step-start", "text", "data-step"]);
  });

  test("SERVE-36: stops the turn where the chat is stopped, also after a reload", async () => {
    for (const isReloaded of [false, true]) {
      const gate = heldTool();
      const server = testServer(withTool(gate.tool));
      const transport = transportTo(server);
      const chatId = await newConversation(server);
      const stopping = new AbortController();
      const stream = await transport.sendMessages({ ...SAID, chatId, abortSignal: stopping.signal });
      await gate.called;
      const again = await transport.reconnectToStream({ chatId });
      if (isReloaded) await transport.stop(chatId);
      else stopping.abort();
      gate.open();
      expect((await chunksOf(again as ReadableStream<unknown>)).at(-1)).toMatchObject({ type: "abort" });
      await stream.cancel();
      expect(await transport.reconnectToStream({ chatId })).toBeNull();
    }
  });

  test("SERVE-37: creates the conversation of a new chat, and tells what a refusal says", async () => {
    const server = testServer(scripted([{ text: "Hello." }]));
    const chunks = await chunksOf(await transportTo(server).sendMessages({ ...SAID, chatId: "new" }));
    expect(chunks.at(-1)).toMatchObject({ type: "finish" });
    expect((await ask(server, "/conversations/new/messages")).status).toBe(200);
    const refused = transportTo(server).sendMessages({ ...SAID, chatId: "no id!" });
    await expect(refused).rejects.toThrow("letters, digits");
    expect(await transportTo(server).reconnectToStream({ chatId: "unknown" })).toBeNull();
  });

  test("SERVE-55: lets a message wait where it is set up so, and streams its turn", async () => {
    const gate = heldTool();
    const server = testServer(withTool(gate.tool));
    const chatId = await newConversation(server);
    const transport = turnTransport({
      ...{ server: "http://localhost/v1", headers: { authorization: "Bearer ada" }, whenBusy: "queue" },
      fetch: (input, init) => server.fetch(new Request(input as string, init)),
    });
    const first = await transport.sendMessages({ ...SAID, chatId });
    await gate.called;
    const second = await transport.sendMessages({ ...SAID, chatId });
    gate.open();
    for (const stream of [first, second])
      expect((await chunksOf(stream)).at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  });

  test.each([undefined, "queue"] as const)(
    "SERVE-114: a question that is asked again, and one that was edited, replace the earlier message (whenBusy: %s)",
    async (whenBusy) => {
      const server = testServer(scripted([{ text: "An answer." }]));
      const chatId = await newConversation(server);
      const transport = turnTransport({
        ...{ server: "http://localhost/v1", headers: { authorization: "Bearer ada" }, whenBusy },
        fetch: (input, init) => server.fetch(new Request(input as string, init)),
      });
      const history = async () =>
        (await (await ask(server, `/conversations/${chatId}/messages`)).json()) as readonly Message[];
      await chunksOf(await transport.sendMessages({ ...SAID, chatId }));
      const answer = (await history())[1]?.id;
      for (const messageId of [undefined, answer])
        await chunksOf(
          await transport.sendMessages({ ...SAID, chatId, trigger: "regenerate-message", messageId }),
        );
      const edited = SAID.messages.map((message) => ({
        ...message,
        parts: [{ type: "text" as const, text: "Count on" }],
      }));
      const again = { ...SAID, chatId, messages: edited, messageId: "question" };
      await chunksOf(await transport.sendMessages(again));
      const told = await history();
      expect(told.map(({ role }) => role)).toEqual(["user", "assistant"]);
      expect(told[0]).toMatchObject({ id: "question", parts: [{ text: "Count on" }] });
    },
  );
});
