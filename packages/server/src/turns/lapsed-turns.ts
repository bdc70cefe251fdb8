import type { JsonValue } from "@skillwright/core";
import type { TurnLease } from "@skillwright/records";
import type { Conversations } from "../conversations/conversations.js";
import { chunkWriter } from "./chunk-writer.js";
import { ifDeleted } from "./serve-turn.js";
import type { RecordedTurn } from "./turn-input.js";
import { turnPaths } from "./turn-paths.js";
import { EVENTS } from "./turn-stream.js";
import { messageOf } from "./ui-message.js";

/**
 * Ends a turn whose input is missing, because another program began it. No client waits for the turn any more then, and the history
 * has what was said.
 */
export async function endLapsedTurn(
  lease: TurnLease,
  recorded: RecordedTurn,
  { conversations, basePath }: { readonly conversations: Conversations; readonly basePath: string },
): Promise<void> {
  const end = chunkWriter(turnPaths(basePath, lease)).end({ errorText: DIED });
  const { user, session } = lease.scope;
  const answer = messageOf([...recorded.chunks, ...end]);
  await conversations.addAnswer(user, session, answer).catch(ifDeleted);
  await lease.end({ [EVENTS]: end as unknown as readonly JsonValue[] });
}

const DIED =
  "The server process that ran this turn has ended. What it did until then is kept; send the message again to go on.";
