import { recentValues } from "@skillwright/records";

/**
 * The conversations that this process made, or in which it ran the last turn. Whoever changes a session or its uploads otherwise changes
 * the conversation as well, and each turn of another process replaces the last turn. So a conversation at the revision at which this
 * process left it, in which no other turn was, has the session that this process left.
 */
export function leftConversations() {
  /** `turn` is missing before the first one. */
  const left = recentValues<{ readonly turn?: string | undefined; readonly revision: string }>();
  return {
    /** @param turn The turn that has ended. */
    set: (user: string, id: string, revision: string, turn?: string): void =>
      left.set([user, id], { turn, revision }),
    /** True if this process made the conversation, and knows of no turn in it. */
    isNew: (user: string, id: string): boolean => {
      const known = left.get([user, id]);
      return known !== undefined && known.turn === undefined;
    },
    /**
     * What is known of the session at that revision of the conversation.
     * @param previous The last turn.
     */
    sessionOf: (
      user: string,
      id: string,
      revision: string,
      previous: string | undefined,
    ): "new" | "unchanged" | undefined => {
      const known = left.get([user, id]);
      if (known?.revision !== revision || known.turn !== previous) return undefined;
      return previous === undefined ? "new" : "unchanged";
    },
    delete: (user: string, id: string): void => left.delete([user, id]),
  };
}
