import type { CallOptions } from "@skillwright/core";
import type { TurnKey } from "@skillwright/records";
import type { Conversation } from "../conversations/conversation.js";
import type { ServerParts } from "../parts/server-parts.js";
import { type ApprovalData, approvalData } from "./data-parts.js";
import { turnPaths } from "./turn-paths.js";

/**
 * Starts the turn that goes on where all questions of the last message were answered past this server, such as at a
 * terminal; `undefined` where none waits, or one is open.
 */
export async function goOnIfAnswered(
  parts: ServerParts,
  user: string,
  conversation: Pick<Conversation, "id" | "agent">,
  options: CallOptions,
): Promise<TurnKey | undefined> {
  const { conversations, approvals, runner, draining, basePath } = parts;
  if (!approvals || draining.isDraining()) return undefined;
  const last = (await conversations.messages(user, conversation.id, options)).at(-1);
  const asked = (last?.parts ?? [])
    .filter(({ type }) => type === "data-approval")
    .map(({ data }) => data as unknown as ApprovalData)
    .filter(({ answer }) => !answer);
  if (asked.length === 0) return undefined;
  const scope = conversations.scopeOf(user, conversation.id);
  const open = new Set((await approvals.list(scope, options)).map(({ id }) => id));
  if (asked.some(({ id }) => open.has(id))) return undefined;
  const found = await Promise.all(asked.map(({ id }) => approvals.get(scope, id, options)));
  const known = found.filter((one) => one !== undefined);
  // A question that was withdrawn has no turn any more.
  if (known.length < asked.length) return undefined;
  const turn = await runner.resume(user, conversation, options);
  const { decide } = turnPaths(basePath, turn);
  for (const question of known)
    await conversations.answered(user, conversation.id, {
      type: "data-approval",
      id: question.id,
      data: approvalData(question, decide(question.id)),
    });
  return turn;
}
