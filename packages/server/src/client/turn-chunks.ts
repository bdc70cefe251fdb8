import { EventSourceParserStream } from "eventsource-parser/stream";
import type { UiChunk } from "../turns/ui-chunks.js";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * Reads a turn to its end, whatever happens to the connection: where it breaks, `again` asks for the rest from the next
 * offset, with pauses of 250 ms to 5 s. Ends at the signal.
 */
export async function* turnChunks(
  first: Response,
  again: (turn: string, offset: number) => Promise<Response>,
  signal: AbortSignal,
): AsyncGenerator<UiChunk, void, undefined> {
  let answer: Response | undefined = first;
  // A proxy may hide this header from pages of another origin. The first event contains the turn, too.
  let turn = /\/turns\/([^/]+)\/stream$/.exec(first.headers.get("content-location") ?? "")?.[1];
  let next = 0;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      answer ??= turn === undefined ? undefined : await again(turn, next);
      if (!answer?.body) return;
      for await (const { id, data } of eventsOf(answer.body)) {
        if (data === "[DONE]") return;
        const chunk = JSON.parse(data) as UiChunk;
        if (chunk.type === "start") turn = chunk.messageId;
        // A proxy may send again what it has kept.
        if (id !== undefined && id < next) continue;
        if (id !== undefined) next = id + 1;
        pauseMs = FIRST_PAUSE_MS;
        yield chunk;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (turn === undefined || error instanceof TurnGone) throw error;
    }
    answer = undefined;
    await pause(pauseMs, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

/** The server answered, and there is nothing to read any more. */
export class TurnGone extends Error {}

async function* eventsOf(body: ReadableStream<Uint8Array>) {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .pipeThrough<{ readonly id?: string; readonly data: string }>(new EventSourceParserStream() as never)
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const { id, data } = value;
      yield { id: id === undefined ? undefined : Number(id), data };
    }
  } finally {
    // Nothing is read any more.
    await reader.cancel().catch(() => undefined);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(over, ms);
    function over(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve();
    }
    signal.addEventListener("abort", over);
  });
}
