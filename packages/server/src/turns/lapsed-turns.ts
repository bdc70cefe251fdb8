import type { TurnLease } from "@skillwright/records";
import type { Conversations } from "../conversations/conversations.js";
import { chunkWriter } from "./chunk-writer.js";
import { ifDeleted } from "./run-turn.js";
import type { ToldTurn } from "./turn-input.js";
import { turnPaths } from "./turn-paths.js";
import { EVENTS } from "./turn-stream.js";
import { messageOf } from "./ui-message.js";

/** True where the stream has its end, so that only the history and the turn's record may lack theirs. */
export function isTold({ chunks }: ToldTurn): boolean {
  return chunks.some(({ type }) => type === "finish" || type === "abort");
}

/**
 * Ends a turn whose process died before it had stored what was asked, or after the stream's end: so that no client waits
 * for it, and the history has what was said.
 */
export async function endLapsedTurn(
  lease: TurnLease,
  told: ToldTurn,
  { conversations, basePath }: { readonly conversations: Conversations; readonly basePath: string },
): Promise<void> {
  const end = isTold(told) ? [] : chunkWriter(turnPaths(basePath, lease)).end({ errorText: DIED });
  await lease.append(EVENTS, JSON.parse(JSON.stringify(end)));
  const { user, session } = lease.scope;
  await conversations.add(user, session, messageOf([...told.chunks, ...end])).catch(ifDeleted);
  await lease.end();
}

const DIED =
  "The server process that ran this turn has ended. What it did until then is kept; send the message again to go on.";
