import type {
  CallOptions,
  JsonValue,
  SessionScope,
  SessionState,
  SessionStore,
  StateDelta,
  UploadedFile,
} from "@skillwright/core";
import { changeValue } from "@skillwright/core/adapter";

interface Pending {
  readonly file: UploadedFile;
  /** Increases with each upload of the conversation. */
  readonly number: number;
}

/**
 * The user's files that the conversation's messages have not told of yet. They are kept beside the session, since a turn
 * changes the session meanwhile, and by any process that shares the store.
 */
export function pendingUploads(sessions: SessionStore, session: SessionScope, agent: string | undefined) {
  const scope = uploadsScope(session);
  const place = agent === undefined ? "" : `:${agent}`;
  const filesKey = `uploads${place}`;
  const toldKey = `agent:uploads${place}`;
  const pendingIn = (held: JsonValue | undefined) => (held ?? []) as unknown as readonly Pending[];

  return {
    /** The file takes the place of an earlier one with its path. */
    add: async (file: UploadedFile, options?: CallOptions): Promise<void> => {
      const added = (held: JsonValue | undefined) => {
        const before = pendingIn(held);
        const number = Math.max(0, ...before.map((one) => one.number)) + 1;
        const after = [...before.filter((one) => one.file.path !== file.path), { file, number }];
        return JSON.parse(JSON.stringify(after)) as JsonValue;
      };
      await changeValue(sessions, scope, filesKey, added, options);
    },

    /** Those that no message has told of, and the change of the session's state with which a message tells of them. */
    untold: async (
      state: SessionState,
      options?: CallOptions,
    ): Promise<{ readonly files: readonly UploadedFile[]; readonly told: StateDelta }> => {
      const all = pendingIn((await sessions.get(scope, options))?.state[filesKey]);
      const last = Number(state[toldKey] ?? 0);
      const files = all.filter(({ number }) => number > last);
      if (files.length === 0) return { files: [], told: {} };
      return {
        files: files.map(({ file }) => file),
        told: { [toldKey]: Math.max(...files.map(({ number }) => number)) },
      };
    },
  };
}

/** Where they are stored, to be deleted with the conversation. */
export function uploadsScope({ app, user, session }: SessionScope): SessionScope {
  return { app: `${app}.uploads`, user, session };
}
