import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** One response of the server: text, calls, or a status with an error. */
export interface ServedAnswer {
  readonly text?: string;
  readonly calls?: readonly ServedCall[];
  readonly status?: number;
  /** The answer is sent when this has settled. */
  readonly after?: Promise<unknown>;
}

interface ServedCall {
  /** Defaults to `call_0` for the first call of each answer, `call_1` for the second. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: string;
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface ServedRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly ChatMessage[];
    readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
  };
}

/**
 * A server on loopback with the OpenAI chat completions protocol: whole responses and server-sent events. As strict as
 * OpenAI's own about what it is sent: it refuses names and ids of calls, and halves of characters, with 400.
 */
export async function openaiServer(
  answers: readonly ServedAnswer[],
): Promise<{ baseURL: string; requests: ServedRequest[] }> {
  const requests: ServedRequest[] = [];
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as ServedRequest["body"];
    requests.push({ path: request.url ?? "", authorization: request.headers.authorization, body });
    const answer = answers[requests.length - 1] ?? { status: 500 };
    await answer.after;
    if (answer.status) return refuse(response, answer.status);
    if (!isAccepted(body)) return refuse(response, 400);
    if (body.stream) return stream(response, answer);
    json(response, 200, {
      ...envelope("chat.completion"),
      choices: [{ index: 0, ...finish(answer), message: message(answer) }],
      usage: USAGE,
    });
  }
}

function isAccepted(body: ServedRequest["body"]): boolean {
  const calls = body.messages.flatMap(({ tool_calls = [] }) => tool_calls);
  const ids = calls.map(({ id }) => id);
  return (
    !/\\u[dD][89a-fA-F]/.test(JSON.stringify(body)) &&
    new Set(ids).size === ids.length &&
    ids.every((id) => /^[A-Za-z0-9_-]{1,40}$/.test(id)) &&
    calls.every((call) => /^[A-Za-z0-9_-]{1,64}$/.test(call.function.name)) &&
    calls.every((call) => JSON.parse(call.function.arguments)?.constructor === Object)
  );
}

function refuse(response: ServerResponse, status: number): void {
  json(response, status, { error: { message: `refused with ${status}`, type: "invalid_request_error" } });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Like real servers: arguments arrive in pieces, the name and id only with the first. */
function stream(response: ServerResponse, answer: ServedAnswer): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: object, end: object = { finish_reason: null }) =>
    response.write(
      `data: ${JSON.stringify({ ...envelope("chat.completion.chunk"), choices: [{ index: 0, delta, ...end }] })}\n\n`,
    );
  send({ role: "assistant", content: "" });
  for (const piece of answer.text?.match(/.{1,7}/gs) ?? []) send({ content: piece });
  for (const [index, { id = `call_${index}`, name, arguments: written }] of (answer.calls ?? []).entries()) {
    send({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (const piece of written.match(/.{1,5}/gs) ?? [])
      send({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  send({}, finish(answer));
  response.write(
    `data: ${JSON.stringify({ ...envelope("chat.completion.chunk"), choices: [], usage: USAGE })}\n\n`,
  );
  response.end("data: [DONE]\n\n");
}

function message({ text: content, calls }: ServedAnswer): object {
  const toolCalls = calls?.map(({ id, ...call }, index) => ({
    ...{ id: id ?? `call_${index}`, type: "function", function: call },
  }));
  return { role: "assistant", content: content ?? null, ...(toolCalls ? { tool_calls: toolCalls } : {}) };
}

function finish({ calls }: ServedAnswer): { finish_reason: string } {
  return { finish_reason: calls ? "tool_calls" : "stop" };
}

function envelope(object: string): object {
  return { id: "chatcmpl-1", object, created: 1_700_000_000, model: "served" };
}

const USAGE = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
