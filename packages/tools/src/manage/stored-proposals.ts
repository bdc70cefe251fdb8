import type { CallOptions, JsonObject, SessionScope } from "@skillwright/core";
import { type RecordStore, storedRecords } from "../stored-records.js";
import type { SkillChange, SkillProposal } from "./skill-proposal.js";
import { proposedBytes } from "./support-file.js";

/** The record of which skills are being decided about; all others in the scope are proposals. */
export const DECISIONS = "decisions";

export interface StoredProposal {
  readonly proposal: SkillProposal;
  readonly change: SkillChange;
  /** Revision of the record. */
  readonly revision: number;
}

/** Proposals in a session store: one record for each, under its id. */
export function storedProposals(store: RecordStore, owner: Pick<SessionScope, "app" | "user">) {
  const records = storedRecords(store, "proposal");
  const scopeOf = (id: string): SessionScope => ({ ...owner, session: id });

  /** `undefined` for an unknown id. @throws SkillError `BACKEND_FAILED` for a record that this release cannot read. */
  async function read(id: string, options: CallOptions): Promise<StoredProposal | undefined> {
    if (id === DECISIONS) return undefined;
    const record = await records.read(scopeOf(id), options);
    return record && { ...parsed(record.value), revision: record.revision };
  }

  return {
    read,
    ids: async (options: CallOptions) => (await store.list(owner, options)).filter((id) => id !== DECISIONS),
    /** @throws SkillError `CONFLICT` where the record is at another revision. */
    write: async ({ proposal, change, revision }: StoredProposal, options: CallOptions) =>
      await records.write(scopeOf(proposal.id), { proposal, change: packed(change) }, revision, options),
    /** Returns `true` to one of several callers. */
    remove: async (id: string, options: CallOptions) => await records.remove(scopeOf(id), options),
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

function parsed(value: JsonObject): Pick<StoredProposal, "proposal" | "change"> {
  const { proposal, change } = value as unknown as {
    readonly proposal: SkillProposal;
    readonly change: SkillChange & { readonly put?: readonly StoredFile[] };
  };
  const put = change.put?.map(({ path, base64 }) => ({ path, content: Buffer.from(base64, "base64") }));
  return { proposal, change: { ...change, ...(put && { put }) } as SkillChange };
}
