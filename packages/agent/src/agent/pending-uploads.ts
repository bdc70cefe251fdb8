import type {
  CallOptions,
  JsonValue,
  SessionScope,
  SessionState,
  SessionStore,
  StateDelta,
  UploadedFile,
  WorkspaceInfo,
  Workspaces,
} from "@skillwright/core";
import { changeValue } from "@skillwright/core/adapter";
import { type LostFiles, lookForLosses, type NotedWorkspace, type SeenWorkspaces } from "./lost-files.js";

/** What happened to the user's files since the last message to the model. */
export interface FileNews {
  /** Files that no message has mentioned yet. */
  readonly uploads: readonly UploadedFile[];
  readonly lost: LostFiles | undefined;
  /** The change of the session's state to store together with the message, so that no later message repeats this news. */
  readonly told: StateDelta;
}

interface Pending {
  readonly file: UploadedFile;
  /** 1 for the first upload of the conversation; each later one gets a higher number. */
  readonly number: number;
  /** The time at which its workspace was created. */
  readonly workspace: string;
}

/**
 * Files that the user uploaded, and the workspace in which they are. They are stored in a record beside the session, because a turn in
 * progress changes the session itself. All processes that share the store see them.
 */
export function pendingUploads(sessions: SessionStore, session: SessionScope, agent: string | undefined) {
  const scope = uploadsScope(session);
  const place = agent === undefined ? "" : `:${agent}`;
  const filesKey = `uploads${place}`;
  const toldKey = `agent:uploads${place}`;
  const lostKey = `agent:lost-files${place}`;
  const pendingIn = (held: JsonValue | undefined) => (held ?? []) as unknown as readonly Pending[];

  return {
    /** Adds the file. It replaces an earlier file with the same path. */
    add: async (
      file: UploadedFile,
      { createdAt: workspace }: WorkspaceInfo,
      options?: CallOptions,
    ): Promise<void> => {
      const added = (held: JsonValue | undefined) => {
        const before = pendingIn(held);
        const number = Math.max(0, ...before.map((one) => one.number)) + 1;
        const after = [...before.filter((one) => one.file.path !== file.path), { file, number, workspace }];
        return JSON.parse(JSON.stringify(after)) as JsonValue;
      };
      await changeValue(sessions, scope, filesKey, added, options);
    },

    /** Notes the workspace that the conversation uses from now on. */
    noteWorkspace: async ({ id, createdAt }: WorkspaceInfo, options?: CallOptions): Promise<void> => {
      const noted = (held: JsonValue | undefined) =>
        Object(held).createdAt === createdAt ? undefined : { id, createdAt };
      await changeValue<JsonValue>(sessions, scope, WORKSPACE_KEY, noted, options);
    },

    /** Looks for files that no message has mentioned, and for those that are gone with the conversation's workspace. */
    news: async (
      state: SessionState,
      workspaces: Pick<Workspaces, "attach" | "files">,
      options: CallOptions = {},
    ): Promise<FileNews> => {
      const record = (await sessions.get(scope, options))?.state ?? {};
      const noted = record[WORKSPACE_KEY] as unknown as NotedWorkspace | undefined;
      const known = state[lostKey] as unknown as KnownLosses | undefined;
      const all = pendingIn(record[filesKey]).filter(({ number }) => number > (known?.last ?? 0));
      const look = noted && (await lookForLosses(workspaces, { noted, known, uploads: all }, options));
      const isLost = ({ file }: Pending) => look?.lost?.files.includes(file) === true;
      const told = Number(state[toldKey] ?? 0);
      const fresh = all.filter((one) => one.number > told && !isLost(one));
      const last = Math.max(known?.last ?? 0, lastOf(all.filter(isLost)));
      return {
        uploads: fresh.map(({ file }) => file),
        lost: look?.lost,
        told: {
          ...(fresh.length > 0 && { [toldKey]: lastOf(fresh) }),
          ...(look && { [lostKey]: { ...look.seen, last } }),
        },
      };
    },
  };
}

export type PendingUploads = ReturnType<typeof pendingUploads>;

const WORKSPACE_KEY = "workspace";

/** What messages told so far, and the number of the last upload that was told as lost. */
interface KnownLosses extends SeenWorkspaces {
  readonly last: number;
}

function lastOf(files: readonly Pending[]): number {
  return Math.max(0, ...files.map(({ number }) => number));
}

/** The scope of the record that holds a conversation's uploads. Delete it together with the conversation. */
export function uploadsScope({ app, user, session }: SessionScope): SessionScope {
  return { app: `${app}.uploads`, user, session };
}
