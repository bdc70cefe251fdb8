import type { RunEvent } from "@skillwright/core";
import type { TurnEvent, TurnKey, Turns } from "@skillwright/records";
import { EVENTS, runLog } from "./turn-stream.js";
import type { UiChunk } from "./ui-chunks.js";
import type { StoredMessage } from "./ui-message.js";

/** The log with what a turn was started with, for a process that takes it over. */
export const INPUT = "input";

export interface TurnInput {
  /** The agent's name. */
  readonly agent: string;
  /** Missing for a turn that goes on after approvals. */
  readonly message?: StoredMessage;
}

/** What is stored of a turn. */
export interface RecordedTurn {
  /** Missing if another program began the turn without storing its input. */
  readonly input: TurnInput | undefined;
  readonly chunks: readonly UiChunk[];
  /** Events of the runs of each call, without the text of their output. */
  readonly runs: ReadonlyMap<string, readonly RunEvent[]>;
}

/** Reads what a turn was started with. */
export async function turnInput(turns: Turns, turn: TurnKey): Promise<TurnInput | undefined> {
  const [input] = await turns.read(turn, INPUT, 0, { limit: 1 });
  return input?.event as TurnInput | undefined;
}

/** Reads a turn back. */
export async function recordedTurn(turns: Turns, turn: TurnKey): Promise<RecordedTurn> {
  const input = await turnInput(turns, turn);
  const chunks = await allOf<UiChunk>(turns, turn, EVENTS);
  const runs = new Map<string, readonly RunEvent[]>();
  // For every call: the process may have stored the output of a run and died before it stored the event of that run.
  for (const chunk of chunks)
    if (chunk.type === "tool-input-available" && !runs.has(chunk.toolCallId))
      runs.set(chunk.toolCallId, await allOf(turns, turn, runLog(chunk.toolCallId), withoutText));
  return { input, chunks, runs };
}

/** Replaces the text of an output event by its length, which is all that is used of it here. */
function withoutText(event: RunEvent): RunEvent {
  if (event.type !== "run.output") return event;
  const { runId, stream, text } = event;
  return { type: "run.output-dropped", runId, stream, bytes: Buffer.byteLength(text) };
}

async function allOf<Event>(
  turns: Turns,
  turn: TurnKey,
  log: string,
  kept: (event: Event) => Event = (event) => event,
): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (let events: readonly TurnEvent[] = []; ; ) {
    events = await turns.read(turn, log, all.length);
    if (events.length === 0) return all;
    all.push(...events.map(({ event }) => kept(event as unknown as Event)));
  }
}
