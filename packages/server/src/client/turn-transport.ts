import type { UiChunk } from "../turns/ui-chunks.js";
import { messageFiles } from "./message-files.js";
import { TurnGone, turnChunks } from "./turn-chunks.js";

export interface TurnTransportOptions {
  /** Address of the server with its prefix, such as `https://chat.example/v1`; in a browser also `/v1`. */
  readonly server: string;
  /** Headers of every request, such as `{ authorization: "Bearer ..." }`, or a function that returns them. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** What becomes of a message while the chat's turn is active: an error, or it waits for its end. Defaults to `refuse`. */
  readonly whenBusy?: "refuse" | "queue" | undefined;
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** A transport for `useChat` and `Chat` of the AI SDK, whose chats are conversations of a server. */
export interface TurnTransport {
  /** Tells version 7 of the AI SDK that a resumed stream begins with the first event. */
  readonly resumeStreamIsReplay: true;
  /**
   * Starts a turn with the last message, in a new conversation where the chat's id names none. Files of the message, as
   * `sendMessage({ files })` of the AI SDK gives them, are stored as uploads before; the model is told about them.
   */
  sendMessages(options: SendOptions): Promise<ReadableStream<UiChunk>>;
  /** The active turn from its first event; `null` where none is active. */
  reconnectToStream(options: { readonly chatId: string }): Promise<ReadableStream<UiChunk> | null>;
  /** Stops the chat's turn with its commands, also after a reload. Resolves when it has ended. */
  stop(chatId: string): Promise<void>;
}

interface SendOptions {
  readonly chatId: string;
  readonly trigger?: "submit-message" | "regenerate-message" | undefined;
  readonly messages: readonly {
    readonly id?: string;
    readonly role: string;
    readonly parts: readonly object[];
  }[];
  /** The user's message that is sent again: it takes its own place, and all that followed is gone. */
  readonly messageId?: string | undefined;
  /** Where it fires, as at `stop()` of `useChat`, the turn is stopped. */
  readonly abortSignal: AbortSignal | undefined;
}

/**
 * Unlike the AI SDK's own transport, it goes on from the next event where a connection breaks, and `stop()` of `useChat`
 * stops the turn on the server.
 */
export function turnTransport({
  server,
  headers,
  whenBusy,
  fetch: given,
}: TurnTransportOptions): TurnTransport {
  const send = given ?? fetch;

  async function ask(
    path: string,
    init: { json?: unknown; file?: Uint8Array<ArrayBuffer>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const own = typeof headers === "function" ? await headers() : headers;
    const { json, file, signal } = init;
    const body = file ?? (json === undefined ? undefined : JSON.stringify(json));
    const type = file ? "application/octet-stream" : "application/json";
    return await send(`${server}${path}`, {
      method: file ? "PUT" : body === undefined ? "GET" : "POST",
      headers: { ...own, ...(body !== undefined && { "content-type": type }) },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
  }

  /** Sends the request. If the conversation does not exist, it is created and the request is sent again. */
  async function inConversation(chatId: string, request: () => Promise<Response>): Promise<Response> {
    let answer = await request();
    if (answer.status === 404) {
      await ask("/conversations", { json: { id: chatId } });
      answer = await request();
    }
    if (!answer.ok) throw new Error(await told(answer));
    return answer;
  }

  async function uploaded(chatId: string, name: string, file: Uint8Array<ArrayBuffer>): Promise<object> {
    const path = `${pathOf(chatId)}/uploads/${encodeURIComponent(name)}`;
    const answer = await inConversation(chatId, () => ask(path, { file }));
    return { type: "data-upload", data: await answer.json() };
  }

  function streamOf(chatId: string, first: Response, signal: AbortSignal): ReadableStream<UiChunk> {
    const again = async (turn: string, offset: number) => {
      const path = `${pathOf(chatId)}/turns/${turn}/stream?offset=${offset}`;
      const answer = await ask(path, { signal });
      if (answer.status === 404 || answer.status === 401) throw new TurnGone(await told(answer));
      if (!answer.ok) throw new Error(await told(answer));
      return answer;
    };
    const chunks = turnChunks(first, again, signal);
    return new ReadableStream<UiChunk>({
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await chunks.return()),
    });
  }

  async function stop(chatId: string): Promise<void> {
    const answer = await ask(`${pathOf(chatId)}/stop`, { json: {} });
    if (!answer.ok) throw new Error(await told(answer));
  }

  return {
    resumeStreamIsReplay: true,
    sendMessages: async ({ chatId, trigger, messages, messageId, abortSignal }) => {
      const message = messages.findLast(({ role }) => role === "user");
      // `regenerate` passes the id of the answer or none, and its question is sent again.
      const isAgain = trigger === "regenerate-message" || messageId === message?.id;
      const replaces = isAgain ? message?.id : undefined;
      const parts: object[] = [];
      for (const part of messageFiles(message?.parts ?? []))
        parts.push("file" in part ? await uploaded(chatId, part.name, part.file) : part);
      // The server refuses a message that both replaces another one and waits.
      const json = { message: { id: message?.id, parts }, ...(replaces ? { replaces } : { whenBusy }) };
      let answer = await inConversation(chatId, () => ask(`${pathOf(chatId)}/turns`, { json }));
      if (answer.status === 202) {
        const { turn } = (await answer.json()) as { readonly turn: string };
        answer = await ask(`${pathOf(chatId)}/turns/${turn}/stream`);
        if (!answer.ok) throw new Error(await told(answer));
      }
      const reading = new AbortController();
      const abort = () => {
        reading.abort();
        // The AI SDK takes no failure of a stop. The conversation shows a turn that goes on when it is opened again.
        stop(chatId).catch(() => undefined);
      };
      abortSignal?.addEventListener("abort", abort, { once: true });
      if (abortSignal?.aborted) abort();
      return streamOf(chatId, answer, reading.signal);
    },
    reconnectToStream: async ({ chatId }) => {
      const answer = await ask(`${pathOf(chatId)}/stream`);
      if (answer.status === 204 || answer.status === 404) return null;
      if (!answer.ok) throw new Error(await told(answer));
      return streamOf(chatId, answer, new AbortController().signal);
    },
    stop,
  };
}

function pathOf(chatId: string): string {
  return `/conversations/${encodeURIComponent(chatId)}`;
}

/** What a failed request's problem tells. */
async function told(answer: Response): Promise<string> {
  // An answer without a problem document is reported by its status.
  const problem = (await answer.json().catch(() => undefined)) as { readonly detail?: string } | undefined;
  return problem?.detail ?? `The server answered with ${answer.status}.`;
}
