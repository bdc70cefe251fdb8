import type { RecordStore } from "@skillwright/core";
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
  const ifUnchanged =
    (work: (scope: ReturnType<typeof conversations.scopeOf>) => Promise<void>) =>
    async ({ user, id, updatedAt }: AgingConversation) => {
      if ((await conversations.get(user, id)).updatedAt === updatedAt)
        await work(conversations.scopeOf(user, id));
    };
  return retention(limits, {
    ...{ records, app, failed, everyConversation: conversations.every },
    remove: {
      conversationsMs: async ({ user, id, updatedAt: unchangedSince }) =>
        await deleteConversation(parts, user, id, { unchangedSince }),
      outputsMs: ifUnchanged((scope) => removeArtifacts(artifacts, scope)),
      eventsMs: ifUnchanged((scope) => turns.delete(scope, { onlyEnded: true })),
    },
  });
}
