import type { SessionRecord, SessionStore } from "@skillwright/core";
import { type CallOptions, type JsonValue, type SessionScope, SkillError } from "@skillwright/core";
import { changedSession } from "@skillwright/core/adapter";
import type { SkillChange, SkillProposal } from "./skill-proposal.js";
import { proposedBytes } from "./support-file.js";

/** The record of which skills are being decided about; all others in the scope are proposals. */
export const DECISIONS = "decisions";

/** The part of a `SessionStore` that proposals need. */
export type ProposalStore = Pick<SessionStore, "get" | "update" | "delete" | "list">;

export interface StoredProposal {
  readonly proposal: SkillProposal;
  readonly change: SkillChange;
  /** Revision of the record. */
  readonly revision: number;
}

/** Proposals in a session store: one record for each, under its id. */
export function storedProposals(store: ProposalStore, owner: Pick<SessionScope, "app" | "user">) {
  const scopeOf = (id: string): SessionScope => ({ ...owner, session: id });

  /** `undefined` for an unknown id. @throws SkillError `BACKEND_FAILED` for a record that this release cannot read. */
  async function read(id: string, options: CallOptions): Promise<StoredProposal | undefined> {
    if (id === DECISIONS) return undefined;
    const record = await store.get(scopeOf(id), options);
    return record && { ...parsed(id, record.history.at(-1)), revision: record.revision };
  }

  return {
    read,
    ids: async (options: CallOptions) => (await store.list(owner, options)).filter((id) => id !== DECISIONS),
    /** @throws SkillError `CONFLICT` where the record is at another revision. */
    write: async ({ proposal, change, revision }: StoredProposal, options: CallOptions) => {
      const stored = JSON.parse(JSON.stringify({ formatVersion: 1, proposal, change: packed(change) }));
      await store.update(scopeOf(proposal.id), { from: revision, history: [stored] }, options);
    },
    /** Returns `true` to one of several callers. */
    remove: async (id: string, options: CallOptions) => await store.delete(scopeOf(id), options),
  };
}

/** The records of one process. */
export function recordsInMemory(): ProposalStore {
  const held = new Map<string, SessionRecord>();
  return {
    get: async ({ session }) => held.get(session),
    update: async (scope, change) => {
      const record = changedSession(scope, held.get(scope.session), change);
      held.set(scope.session, record);
      return record;
    },
    delete: async ({ session }) => held.delete(session),
    list: async () => [...held.keys()],
  };
}

/** The change as JSON: bytes as base64. */
function packed(change: SkillChange): object {
  if (change.action !== "create" && change.action !== "update") return change;
  const put = change.put?.map((file) => ({
    path: file.path,
    base64: Buffer.from(proposedBytes(file)).toString("base64"),
  }));
  return { ...change, put };
}

interface StoredFile {
  readonly path: string;
  readonly base64: string;
}

function parsed(id: string, value: JsonValue | undefined): Pick<StoredProposal, "proposal" | "change"> {
  const { formatVersion, proposal, change } = (value ?? {}) as unknown as {
    readonly formatVersion?: number;
    readonly proposal?: SkillProposal;
    readonly change?: SkillChange & { readonly put?: readonly StoredFile[] };
  };
  if (formatVersion !== 1 || !proposal || !change)
    throw new SkillError(
      "BACKEND_FAILED",
      `The stored proposal "${id}" is damaged or from a later release. Delete its record, or use that release.`,
    );
  const put = change.put?.map(({ path, base64 }) => ({ path, content: Buffer.from(base64, "base64") }));
  return { proposal, change: { ...change, ...(put && { put }) } as SkillChange };
}
