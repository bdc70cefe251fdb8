import type { JsonValue, RunEvent } from "@skillwright/core";
import type { TurnLease } from "@skillwright/records";
import { patiently } from "./patiently.js";
import type { RecordedTurn } from "./turn-input.js";
import { EVENTS, runLog } from "./turn-stream.js";
import type { UiChunk } from "./ui-chunks.js";

/** Appends to the logs of a turn in order. Events that come within 50 ms after a write are written together, or earlier by `flush`. */
export interface LogWriter {
  /** Returns a promise while more than 1 MiB of text waits for the store. A caller that can wait goes on when it settles. */
  write(log: string, events: readonly (UiChunk | RunEvent)[]): Promise<void> | undefined;
  /** Resolves when everything is stored. @throws what the store threw. */
  flush(): Promise<void>;
  /** All chunks of the turn so far. */
  chunks(): readonly UiChunk[];
}

/** Types of chunks that a reader cannot see. Such a chunk is stored together with the next one. */
const WITH_THE_NEXT: ReadonlySet<string> = new Set(["start-step", "text-end", "finish-step", "data-step"]);
/** How long events wait after a write, so that several words of an answer are stored with one call. */
const GATHER_MS = 50;
/** Writers are asked to wait while more characters than this have not been sent to the store. */
const MOST_WAITING = 1024 * 1024;

/**
 * While the store fails, events wait in memory and are written again.
 * @param options `signal`: after it fires, a failed write is not repeated. `onRefused`: called once, with the error of the last
 * attempt; nothing is written afterwards. `told`: what is stored already.
 */
export function logWriter(
  lease: TurnLease,
  {
    signal,
    onRefused,
    recorded,
  }: {
    readonly signal: AbortSignal;
    readonly onRefused: (error: unknown) => void;
    readonly recorded?: Pick<RecordedTurn, "chunks" | "runs"> | undefined;
  },
): LogWriter {
  const waiting = new Map<string, JsonValue[]>();
  let waitingCharacters = 0;
  const written: UiChunk[] = [...(recorded?.chunks ?? [])];
  const lengths = new Map([[EVENTS, written.length]]);
  for (const [callId, events] of recorded?.runs ?? []) lengths.set(runLog(callId), events.length);
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isUrgent = false;
  let endWait: () => void = () => undefined;

  async function writeAll(): Promise<void> {
    try {
      while (waiting.size > 0) {
        const all = [...waiting];
        waiting.clear();
        waitingCharacters = 0;
        for (const [log, events] of all) await append(log, events);
        if (!isUrgent) await gather();
      }
    } catch (error) {
      failure = { error };
      onRefused(error);
    } finally {
      writing = undefined;
      isUrgent = false;
    }
  }

  function hurry(): void {
    isUrgent = true;
    endWait();
  }

  async function gather(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GATHER_MS);
      endWait = resolve;
    });
    clearTimeout(timer);
  }

  async function append(log: string, events: readonly JsonValue[]): Promise<void> {
    const length = lengths.get(log) ?? 0;
    const add = (isRepeated: boolean) => lease.append(log, events, { at: isRepeated ? length : undefined });
    lengths.set(log, await patiently(add, { signal }));
  }

  return {
    write: (log, events) => {
      if (log === EVENTS) written.push(...(events as readonly UiChunk[]));
      if (failure || events.length === 0) return undefined;
      const list = waiting.get(log) ?? [];
      waiting.set(log, list);
      for (const event of events) {
        const text = JSON.stringify(event);
        waitingCharacters += text.length;
        list.push(JSON.parse(text) as JsonValue);
      }
      const isMuch = waitingCharacters > MOST_WAITING;
      if (isMuch) hurry();
      if (isMuch || !events.every(({ type }) => WITH_THE_NEXT.has(type))) writing ??= writeAll();
      return isMuch ? writing : undefined;
    },
    flush: async () => {
      if (waiting.size > 0) writing ??= writeAll();
      while (writing) {
        hurry();
        await writing;
      }
      if (failure) throw failure.error;
    },
    chunks: () => written,
  };
}
