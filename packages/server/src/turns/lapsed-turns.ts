import { SkillError } from "@skillwright/core";
import type { Conversations } from "../conversations/conversations.js";
import { chunkWriter } from "./chunk-writer.js";
import { turnPaths } from "./turn-paths.js";
import { EVENTS } from "./turn-stream.js";
import type { TurnEvent, TurnRecord, Turns } from "./turns.js";
import type { UiChunk } from "./ui-chunks.js";
import { messageOf } from "./ui-message.js";

/** Interval at which a process looks for turns whose process has died. */
const LOOK_EVERY_MS = 5000;
const LEASE_MS = 30_000;

/**
 * Ends turns of the application whose process has died, so that no client waits for them: the stream gets an error, and
 * the history what the turn said before. Any process that shares the store does it. Returns a function that stops looking
 * and waits for what is under way.
 */
export function endLapsedTurns(parts: {
  readonly app: string;
  readonly turns: Turns;
  readonly conversations: Conversations;
  readonly basePath: string;
}): () => Promise<void> {
  const { app, turns } = parts;
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= endAll().finally(() => {
      looking = undefined;
    });
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  look();

  /** A store that fails is asked again later. */
  async function endAll(): Promise<void> {
    const due = await turns.due(app).catch(() => []);
    for (const turn of due) await end(turn, parts).catch(() => undefined);
  }

  return async () => {
    clearInterval(timer);
    await looking;
  };
}

async function end(
  turn: TurnRecord,
  { turns, conversations, basePath }: Parameters<typeof endLapsedTurns>[0],
): Promise<void> {
  const lease = await turns.claim(turn, { forMs: LEASE_MS });
  const said = await allOf(turns, turn);
  const isToldOf = said.some(({ type }) => type === "finish" || type === "abort");
  const end = isToldOf ? [] : chunkWriter(turnPaths(basePath, turn)).end({ errorText: DIED });
  await lease.append(EVENTS, JSON.parse(JSON.stringify(end)));
  const { user, session } = turn.scope;
  await conversations.add(user, session, messageOf([...said, ...end])).catch(ifDeleted);
  await lease.end();
}

const DIED =
  "The server process that ran this turn has ended. What it did until then is kept; send the message again to go on.";

async function allOf(turns: Turns, turn: TurnRecord): Promise<readonly UiChunk[]> {
  const all: UiChunk[] = [];
  for (let events: readonly TurnEvent[] = []; ; ) {
    events = await turns.read(turn, EVENTS, all.length);
    if (events.length === 0) return all;
    all.push(...events.map(({ event }) => event as unknown as UiChunk));
  }
}

function ifDeleted(error: unknown): void {
  if (!SkillError.is(error, "SESSION_NOT_FOUND")) throw error;
}
