import { SkillError } from "@skillwright/core";
import type { Conversations } from "../conversations/conversations.js";
import { chunkWriter } from "./chunk-writer.js";
import { turnPaths } from "./turn-paths.js";
import { EVENTS } from "./turn-stream.js";
import type { TurnEvent, TurnRecord, Turns } from "./turns.js";
import type { UiChunk } from "./ui-chunks.js";
import { messageOf } from "./ui-message.js";

const LEASE_MS = 30_000;

/**
 * Ends a turn whose process has died, so that no client waits for it: the stream gets an error, and the history what the
 * turn said before.
 * @throws SkillError `CONFLICT` while another process has the turn; `RUN_NOT_FOUND` where it is not active.
 */
export async function endLapsedTurn(
  turn: TurnRecord,
  {
    turns,
    conversations,
    basePath,
  }: { readonly turns: Turns; readonly conversations: Conversations; readonly basePath: string },
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
