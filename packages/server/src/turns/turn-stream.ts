import { setTimeout as delay } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import { countOpen } from "@skillwright/core/adapter";
import type { TurnEvent, TurnKey, Turns } from "@skillwright/records";

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
  /**
   * Fires when the server is closed. The stream of an active turn then ends after a whole event and without `[DONE]`, so
   * that its reader continues elsewhere from the last id.
   */
  readonly closing: AbortSignal;
  /** Whether the message of a turn that has not begun waits; resolves when it may have begun. */
  readonly waits: (options: CallOptions) => Promise<boolean>;
}

/**
 * Sends a log as server-sent events, with offsets as their ids, until the turn has ended, then `[DONE]`. Cancelling the
 * stream does not change the turn.
 */
export function turnStream(
  turns: Turns,
  key: TurnKey,
  { log, from, keepAliveMs, closing, waits }: TurnStreamOptions,
): ReadableStream<Uint8Array> {
  let next = from;
  let isCancelled = false;
  let failingSince: number | undefined;
  let waiting = new AbortController();
  const interrupt = () => waiting.abort();

  async function text(): Promise<string> {
    waiting = new AbortController();
    if (closing.aborted && (await turns.get(key))?.state === "active") return CLOSING;
    const timer = setTimeout(interrupt, keepAliveMs);
    try {
      const { signal } = waiting;
      const limit = log === EVENTS ? EVENTS_AT_ONCE : PIECES_AT_ONCE;
      let events = await turns.next(key, log, next, { signal, limit });
      // A turn that has sent something has begun.
      while (events.length === 0 && next === from && !(await turns.get(key)) && (await waits({ signal })))
        events = await turns.next(key, log, next, { signal, limit });
      next += events.length;
      failingSince = undefined;
      return events.length > 0 ? events.map(eventText).join("") : DONE;
    } catch (error) {
      if (!waiting.signal.aborted) return await afterFailure(error);
      return closing.aborted ? await text() : KEEP_ALIVE;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Keeps the connection while the store fails, for up to a minute: the store may work again before the turn ends. */
  async function afterFailure(error: unknown): Promise<string> {
    failingSince ??= performance.now();
    if (!SkillError.is(error, "BACKEND_FAILED") || performance.now() - failingSince > PATIENCE_MS)
      throw error;
    // The signal ends the pause.
    await delay(PAUSE_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
    return KEEP_ALIVE;
  }

  let isOpen = true;
  const leave = () => {
    if (isOpen) countOpen("skillwright.server.streams", -1);
    isOpen = false;
    closing.removeEventListener("abort", interrupt);
  };
  countOpen("skillwright.server.streams", 1);
  closing.addEventListener("abort", interrupt, { once: true });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const sent = await text();
        if (isCancelled) return;
        controller.enqueue(encoder.encode(sent));
        if (sent !== DONE && sent !== CLOSING) return;
        leave();
        controller.close();
      } catch (error) {
        leave();
        if (!isCancelled) controller.error(error);
      }
    },
    cancel() {
      isCancelled = true;
      leave();
      interrupt();
    },
  });
}

/** How long a store may fail before the stream ends with an error. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;
const EVENTS_AT_ONCE = 100;
/** Fewer than of other events, because a piece of output has up to 64 KiB. */
const PIECES_AT_ONCE = 8;

const encoder = new TextEncoder();
const DONE = "data: [DONE]\n\n";
const KEEP_ALIVE = ": keep-alive\n\n";
/** Tells a reader how to go on; readers of the AI SDK ignore comments. */
const CLOSING = ": the server is being closed; continue after the last id\nretry: 1000\n\n";

function eventText({ offset, event }: TurnEvent): string {
  return `id: ${offset}\ndata: ${JSON.stringify(event)}\n\n`;
}
