import { recentValues } from "@skillwright/records";

/**
 * The sessions of conversations that this process made, or in which it ran the last turn. Whoever changes a session or its uploads
 * changes the conversation as well, and a turn of another process takes the place of the last turn. So the session of a conversation is
 * the one that this process stored last if the conversation is at the revision that this process gave it then, and no other turn followed.
 */
export function knownSessions() {
  /** `turn` is missing before the first one. */
  const sessions = recentValues<{ readonly turn?: string | undefined; readonly revision: string }>();
  return {
    /** @param turn The turn that has ended. */
    set: (user: string, id: string, revision: string, turn?: string): void =>
      sessions.set([user, id], { turn, revision }),
    /** True if this process made the conversation, and knows of no turn in it. */
    isNew: (user: string, id: string): boolean => {
      const known = sessions.get([user, id]);
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
      const known = sessions.get([user, id]);
      if (known?.revision !== revision || known.turn !== previous) return undefined;
      return previous === undefined ? "new" : "unchanged";
    },
    delete: (user: string, id: string): void => sessions.delete([user, id]),
  };
}
