import type { TurnKey } from "@skillwright/core/adapter";
import type { TurnEvent, Turns } from "./turns.js";

/** The log with the chunks of a turn's message. */
export const EVENTS = "events";

/** The log with the events and output of the runs of one call. */
export function runLog(callId: string): string {
  return `run ${callId}`;
}

export interface TurnStreamOptions {
  readonly log: string;
  /** The first offset to send. */
  readonly from: number;
  /** Idle time after which a comment is sent, so that proxies keep the connection. */
  readonly keepAliveMs: number;
}

/**
 * Sends a log as server-sent events, with offsets as their ids, until the turn has ended, then `[DONE]`. Cancelling the
 * stream does not change the turn.
 */
export function turnStream(
  turns: Turns,
  key: TurnKey,
  { log, from, keepAliveMs }: TurnStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ending = new AbortController();
  let next = from;

  async function text(): Promise<string | undefined> {
    // The state is read before the events: what an ended turn has now, it has for good.
    const record = await turns.get(key, { signal: ending.signal });
    const events = await turns.read(key, log, next, { signal: ending.signal });
    next = (events.at(-1)?.offset ?? next - 1) + 1;
    if (events.length > 0) return events.map(eventText).join("");
    if (record?.state !== "active") return undefined;
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(), keepAliveMs);
    try {
      await turns.wait(key, log, next, { signal: AbortSignal.any([ending.signal, idle.signal]) });
      return await text();
    } catch (error) {
      if (idle.signal.aborted && !ending.signal.aborted) return ": keep-alive\n\n";
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const more = await text();
        controller.enqueue(encoder.encode(more ?? "data: [DONE]\n\n"));
        if (more === undefined) controller.close();
      } catch (error) {
        if (!ending.signal.aborted) controller.error(error);
      }
    },
    cancel() {
      ending.abort();
    },
  });
}

function eventText({ offset, event }: TurnEvent): string {
  return `id: ${offset}\ndata: ${JSON.stringify(event)}\n\n`;
}
