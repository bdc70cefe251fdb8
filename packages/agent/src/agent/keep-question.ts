import { SkillError } from "@skillwright/core";
import type { SkillLoads } from "@skillwright/injector";
import { turnDelta } from "../loop/begun-turn.js";
import type { OpenConversation } from "../loop/conversation.js";
import { closeWaiting } from "../loop/parked-turn.js";
import { FAILED, STOPPED, unfinishedAnswer } from "../loop/unfinished-answer.js";
import type { ResumableTurn } from "./agent.js";
import { COMPACTED_KEY } from "./compact-conversation.js";

/** Stores the message of a turn that was stopped or failed before its first step, so that the model sees it in the next one. */
export async function keepQuestion(
  parts: Parameters<typeof closeWaiting>[0],
  loads: SkillLoads,
  conversation: OpenConversation,
  turn: {
    readonly message: string;
    readonly error: unknown;
    readonly isStopped: boolean;
    readonly durable: ResumableTurn | undefined;
  },
): Promise<void> {
  const { agent } = parts.config;
  const { code, message } = SkillError.from(turn.error, "The start of the turn");
  closeWaiting(parts, loads, conversation);
  // The next turn must add the profile, as the first turn of a conversation does.
  if (conversation.messages.length === 0) conversation.apply([{ [COMPACTED_KEY]: true }]);
  conversation.add([
    { role: "user", content: turn.message },
    unfinishedAnswer("", turn.isStopped ? STOPPED : FAILED),
  ]);
  const end = turn.isStopped
    ? { ended: { finish: "aborted", text: "" } as const }
    : { failed: { code, message } };
  if (turn.durable) conversation.apply([turnDelta(agent, { id: turn.durable.id, step: 0, ...end })]);
  await conversation.commit();
}
