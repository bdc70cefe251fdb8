import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** What the fake says at one request. */
export interface FakeStep {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly input: object };
}

export interface FakeModel {
  readonly origin: string;
  /** Paths and bodies of the requests. */
  readonly requests: { readonly path: string; readonly body: Body }[];
}

// biome-ignore lint/suspicious/noExplicitAny: what a client sends, read by the tests as they like.
type Body = any;

/**
 * A fake of a model, on loopback. It says these steps, one a request, in the protocol of the path: `/v1/chat/completions` as
 * OpenAI, `/v1/messages` as Anthropic; whole, or as events where the client asks for them.
 */
export async function fakeModel(steps: readonly FakeStep[]): Promise<FakeModel> {
  const requests: FakeModel["requests"] = [];
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as Body;
    const path = request.url ?? "";
    requests.push({ path, body });
    const step = steps[requests.length - 1];
    const says = PROTOCOLS[path];
    if (!step || !says) return void response.writeHead(500).end("{}");
    if (!body.stream) return whole(response, says.whole(step, requests.length));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of says.events(step, requests.length)) {
      if ("type" in event) response.write(`event: ${event.type}\n`);
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(says.end);
  }
}

function whole(response: ServerResponse, answer: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}

interface Protocol {
  readonly whole: (step: FakeStep, number: number) => object;
  readonly events: (step: FakeStep, number: number) => readonly object[];
  readonly end: string;
}

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  "/v1/chat/completions": { whole: completion, events: completionChunks, end: "data: [DONE]\n\n" },
  "/v1/messages": { whole: message, events: messageEvents, end: "" },
};

function completion({ text, call }: FakeStep, number: number): object {
  const tool_calls = call && [{ ...callOf(call, number), type: "function" }];
  const said = { role: "assistant", content: text ?? null, ...(tool_calls && { tool_calls }) };
  return {
    ...envelope("chat.completion", number),
    choices: [{ index: 0, finish_reason: call ? "tool_calls" : "stop", message: said }],
    usage: OPENAI_USAGE,
  };
}

/** Arguments arrive in pieces, the name and the id with the first one only. */
function completionChunks({ text, call }: FakeStep, number: number): readonly object[] {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...envelope("chat.completion.chunk", number),
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calling = call && callOf(call, number);
  const first = calling && { ...calling, function: { ...calling.function, arguments: "" } };
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(text).map((content) => chunk({ content })),
    ...(first ? [chunk({ tool_calls: [{ index: 0, type: "function", ...first }] })] : []),
    ...pieces(calling?.function.arguments).map((written) =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: written } }] }),
    ),
    chunk({}, call ? "tool_calls" : "stop"),
    { ...envelope("chat.completion.chunk", number), choices: [], usage: OPENAI_USAGE },
  ];
}

function callOf({ name, input }: NonNullable<FakeStep["call"]>, number: number) {
  return { id: `call_${number}`, function: { name, arguments: JSON.stringify(input) } };
}

function envelope(object: string, number: number): object {
  return { id: `chatcmpl-${number}`, object, created: 1_700_000_000, model: "fake" };
}

const OPENAI_USAGE = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };

function message({ text, call }: FakeStep, number: number): object {
  const content = [
    ...(text ? [{ type: "text", text }] : []),
    ...(call ? [{ type: "tool_use", id: `call_${number}`, ...call }] : []),
  ];
  return { ...messageStart(number), content, stop_reason: call ? "tool_use" : "end_turn" };
}

function messageEvents({ text, call }: FakeStep, number: number): readonly object[] {
  const block = (type: string, rest: object = {}) => ({ type, index: 0, ...rest });
  const use = call && { type: "tool_use", id: `call_${number}`, name: call.name, input: {} };
  const deltas = call
    ? pieces(JSON.stringify(call.input)).map((partial_json) => ({ type: "input_json_delta", partial_json }))
    : pieces(text).map((piece) => ({ type: "text_delta", text: piece }));
  return [
    { type: "message_start", message: messageStart(number) },
    block("content_block_start", { content_block: use ?? { type: "text", text: "" } }),
    ...deltas.map((delta) => block("content_block_delta", { delta })),
    block("content_block_stop"),
    {
      type: "message_delta",
      delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 3 },
    },
    { type: "message_stop" },
  ];
}

function messageStart(number: number): object {
  return {
    ...{ id: `msg_${number}`, type: "message", role: "assistant", model: "fake", content: [] },
    ...{ stop_reason: null, stop_sequence: null },
    usage: { input_tokens: 12, output_tokens: 3 },
  };
}

function pieces(text = ""): readonly string[] {
  return text.match(/.{1,7}/gs) ?? [];
}
