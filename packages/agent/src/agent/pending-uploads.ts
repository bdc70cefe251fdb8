import type {
  CallOptions,
  RecordStore,
  SessionScope,
  SessionState,
  StateDelta,
  UploadedFile,
  WorkspaceInfo,
  Workspaces,
} from "@skillwright/core";
import { recordSessions, recordValues } from "@skillwright/records";
import type { ResumableTurn } from "./agent.js";
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
  /** 1 for the first upload to its agent; each later one gets a higher number. */
  readonly number: number;
  /** The time at which its workspace was created. */
  readonly workspace: string;
  /** The name of the agent that got it; empty for an agent without a name. */
  readonly agent: string;
}

interface Stored {
  /** The files of all agents that use the session. */
  readonly files?: readonly Pending[] | undefined;
  readonly workspace?: NotedWorkspace | undefined;
}

/**
 * Files that the user uploaded, and the workspace in which they are. They are stored in a record beside the session, because a turn in
 * progress changes the session itself. All processes that share the store see them.
 */
export function pendingUploads(records: RecordStore, session: SessionScope, agent = "") {
  const values = recordValues<Stored>(records, "list of uploads");
  const key = uploadsKey(session);
  const place = agent === "" ? "" : `:${agent}`;
  const toldKey = `agent:uploads${place}`;
  const lostKey = `agent:lost-files${place}`;
  /** The record as this process read or wrote it last. */
  let recent: Stored | undefined;
  const ownOf = ({ files = [] }: Stored) => files.filter((one) => one.agent === agent);

  return {
    /** Adds the file. It replaces an earlier file with the same path. */
    add: async (
      file: UploadedFile,
      { createdAt: workspace }: WorkspaceInfo,
      options?: CallOptions,
    ): Promise<void> => {
      const added = (held: Stored = {}): Stored => {
        const number = lastOf(ownOf(held)) + 1;
        const isReplaced = (one: Pending) => one.agent === agent && one.file.path === file.path;
        const kept = (held.files ?? []).filter((one) => !isReplaced(one));
        return { ...held, files: [...kept, { file, number, workspace, agent }] };
      };
      recent = await values.change(key, added, options);
    },

    /** Notes the workspace that the conversation uses from now on. */
    noteWorkspace: async ({ id, createdAt }: WorkspaceInfo, options?: CallOptions): Promise<void> => {
      const noted = (held: Stored | undefined) =>
        held?.workspace?.createdAt === createdAt ? undefined : { ...held, workspace: { id, createdAt } };
      recent = await values.change(key, noted, options);
    },

    /**
     * Looks for files that no message has mentioned, and for those that are gone with the conversation's workspace.
     * @param options.known As `ResumableTurn.session`.
     */
    news: async (
      state: SessionState,
      workspaces: Pick<Workspaces, "attach" | "files">,
      { known: knownOf, ...options }: CallOptions & { readonly known?: ResumableTurn["session"] } = {},
    ): Promise<FileNews> => {
      if (knownOf === "new") recent = {};
      else if (knownOf !== "unchanged" || !recent) recent = (await values.get(key, options))?.value ?? {};
      const held = recent;
      const noted = held.workspace;
      const known = state[lostKey] as unknown as KnownLosses | undefined;
      const all = ownOf(held).filter(({ number }) => number > (known?.last ?? 0));
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

/** What messages told so far, and the number of the last upload that was told as lost. */
interface KnownLosses extends SeenWorkspaces {
  readonly last: number;
}

function lastOf(files: readonly Pending[]): number {
  return Math.max(0, ...files.map(({ number }) => number));
}

function uploadsKey({ app, user, session }: SessionScope): readonly string[] {
  return ["uploads", app, user, session];
}

/** Removes what agents keep of a session: its history, its state, and which files were uploaded. */
export async function forgetSession(
  records: RecordStore,
  session: SessionScope,
  options?: CallOptions,
): Promise<void> {
  await recordSessions(records).delete(session, options);
  await records.delete(uploadsKey(session), options);
}
