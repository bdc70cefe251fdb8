import {
  type CallOptions,
  type JsonObject,
  type SessionScope,
  type SessionState,
  type SessionStore,
  SkillError,
  type StateDelta,
  type UploadedFile,
} from "@skillwright/core";

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
  const pendingIn = (state: JsonObject) => (state[filesKey] ?? []) as unknown as readonly Pending[];

  async function change(
    changed: (before: readonly Pending[]) => readonly Pending[],
    options?: CallOptions,
  ): Promise<void> {
    for (;;) {
      const record = await sessions.get(scope, options);
      const after = JSON.parse(JSON.stringify(changed(pendingIn(record?.state ?? {}))));
      try {
        await sessions.update(
          scope,
          { from: record?.revision ?? 0, stateDelta: { [filesKey]: after } },
          options,
        );
        return;
      } catch (error) {
        if (!SkillError.is(error, "CONFLICT")) throw error;
      }
    }
  }

  return {
    /** The file takes the place of an earlier one with its path. */
    add: async (file: UploadedFile, options?: CallOptions): Promise<void> =>
      await change((before) => {
        const number = Math.max(0, ...before.map((one) => one.number)) + 1;
        return [...before.filter((one) => one.file.path !== file.path), { file, number }];
      }, options),

    /** Those that no message has told of, and the change of the session's state with which a message tells of them. */
    untold: async (
      state: SessionState,
      options?: CallOptions,
    ): Promise<{ readonly files: readonly UploadedFile[]; readonly told: StateDelta }> => {
      const all = pendingIn((await sessions.get(scope, options))?.state ?? {});
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
