import type { CallOptions, RecordStore } from "@skillwright/core";
import { recordValues } from "@skillwright/records";

/** The users who have conversations, because a record store lists no users. */
export function knownUsers(records: RecordStore, app: string) {
  const users = recordValues<object>(records, "user");
  const key = (user: string) => ["user", app, user];
  return {
    /** Call it after a conversation was created, so that `removeIf` of another process notices it. */
    add: async (user: string, options?: CallOptions) => void (await users.put(key(user), {}, {}, options)),
    /** Removes the user if `hasNone` says that there are no conversations, unless one is created meanwhile. */
    removeIf: async (user: string, hasNone: () => Promise<boolean>, options?: CallOptions) => {
      const found = await users.get(key(user), options);
      if (found && (await hasNone())) await records.delete(key(user), { ...options, from: found.revision });
    },
    list: async function* (options?: CallOptions): AsyncGenerator<string> {
      for await (const { name } of users.list(["user", app], { signal: options?.signal })) yield name;
    },
  };
}
