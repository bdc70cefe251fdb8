import { type CallOptions, SkillError } from "@skillwright/core";
import { beginsWith, type Sessions } from "@skillwright/records";
import type { StoredMessage } from "../turns/ui-message.js";

/**
 * Returns the messages before that message of the user, and removes what follows it from the agent's history. Files and artifacts stay.
 * @throws SkillError `INPUT_INVALID` where the user said no such message; `CONFLICT` where the agent's history before it
 * was shortened since, so that nothing can begin there.
 */
export async function messagesBefore(
  messages: readonly StoredMessage[],
  message: string,
  { sessions, scope }: { readonly sessions: Sessions; readonly scope: Parameters<Sessions["get"]>[0] },
  options?: CallOptions,
): Promise<readonly StoredMessage[]> {
  const index = messages.findIndex(({ id, role }) => id === message && role === "user");
  if (index < 0) throw unknown(message);
  const mark = messages[index]?.metadata?.mark;
  const own = await sessions.get(scope, options);
  const history = own?.history ?? [];
  if (!mark || !beginsWith(history, mark)) throw shortened();
  if (own && history.length > mark.length)
    await sessions.update(scope, { from: own.revision, history: history.slice(0, mark.length) }, options);
  return messages.slice(0, index);
}

function unknown(message: string): SkillError {
  const told = `You said no message "${message}" in this conversation. Read its messages, and name one of yours.`;
  return new SkillError("INPUT_INVALID", told, { details: { fields: [{ path: "body.replaces" }] } });
}

function shortened(): SkillError {
  return new SkillError(
    "CONFLICT",
    "The conversation was shortened since that message, so that it cannot begin again there. Send a new message.",
  );
}
