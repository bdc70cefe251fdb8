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
  /** 1 for the first upload of the conversation; each later one gets a higher number. */
  readonly number: number;
}

/**
 * Files that the user uploaded and that no message to the model has mentioned yet. They are stored in a record beside the
 * session, because a turn in progress changes the session itself. All processes that share the store see them.
 */
export function pendingUploads(sessions: SessionStore, session: SessionScope, agent: string | undefined) {
  const scope = uploadsScope(session);
  const place = agent === undefined ? "" : `:${agent}`;
  const filesKey = `uploads${place}`;
  const toldKey = `agent:uploads${place}`;
  const pendingIn = (held: JsonValue | undefined) => (held ?? []) as unknown as readonly Pending[];

  return {
    /** Adds the file. It replaces an earlier file with the same path. */
    add: async (file: UploadedFile, options?: CallOptions): Promise<void> => {
      const added = (held: JsonValue | undefined) => {
        const before = pendingIn(held);
        const number = Math.max(0, ...before.map((one) => one.number)) + 1;
        const after = [...before.filter((one) => one.file.path !== file.path), { file, number }];
        return JSON.parse(JSON.stringify(after)) as JsonValue;
      };
      await changeValue(sessions, scope, filesKey, added, options);
    },

    /**
     * Returns the files that no message has mentioned yet. Apply `told` to the session's state together with the message that
     * mentions them, so that the next message does not mention them again.
     */
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

/** The scope of the record that holds a conversation's uploads. Delete it together with the conversation. */
export function uploadsScope({ app, user, session }: SessionScope): SessionScope {
  return { app: `${app}.uploads`, user, session };
}
