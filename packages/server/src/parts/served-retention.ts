import type { RecordStore, SessionScope } from "@skillwright/core";
import { deleteConversation, removeArtifacts } from "../conversations/delete-conversation.js";
import { type AgingConversation, type RetentionLimits, retention } from "../conversations/retention.js";
import type { ServerParts } from "./server-parts.js";

/** Removes conversations of a server, their outputs and their events when their times have passed. */
export function servedRetention(
  limits: RetentionLimits,
  parts: ServerParts,
  { records, app }: { readonly records: RecordStore; readonly app: string },
): ReturnType<typeof retention> {
  const { conversations, artifacts, turns, failed } = parts;
  const ifIdle =
    (work: (conversation: AgingConversation, scope: SessionScope) => Promise<void>) =>
    async (conversation: AgingConversation) => {
      const scope = conversations.scopeOf(conversation.user, conversation.id);
      // A conversation that is being deleted may still have a turn: the process that was to stop it has died.
      if (!conversation.isBeingDeleted && (await turns.active(scope))) return false;
      await work(conversation, scope);
      return true;
    };
  const ifUnchanged = (work: (scope: SessionScope) => Promise<void>) =>
    ifIdle(async ({ user, id, updatedAt }, scope) => {
      if ((await conversations.get(user, id)).updatedAt === updatedAt) await work(scope);
    });
  return retention(limits, {
    ...{ records, app, failed, everyConversation: conversations.every },
    remove: {
      conversationsMs: ifIdle(
        async ({ user, id, updatedAt: unchangedSince }) =>
          await deleteConversation(parts, user, id, { unchangedSince }),
      ),
      outputsMs: ifUnchanged((scope) => removeArtifacts(artifacts, scope)),
      eventsMs: ifUnchanged((scope) => turns.delete(scope, { onlyEnded: true })),
    },
  });
}
