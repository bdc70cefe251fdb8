import type { CallOptions, RecordStore, SessionScope } from "@skillwright/core";
import { recordValues } from "@skillwright/records";
import type { SkillChange, SkillProposal } from "./skill-proposal.js";
import { proposedBytes } from "./support-file.js";

export interface StoredProposal {
  readonly proposal: SkillProposal;
  readonly change: SkillChange;
}

interface StoredFile {
  readonly path: string;
  readonly base64: string;
}

/** The change as JSON: bytes as base64. */
interface Stored {
  readonly proposal: SkillProposal;
  readonly change: SkillChange & { readonly put?: readonly StoredFile[] | undefined };
}

/** Proposals in a record store: one record for each, under its id. */
export function storedProposals(records: RecordStore, { app, user }: Pick<SessionScope, "app" | "user">) {
  const values = recordValues<Stored>(records, "proposal");
  const all = ["proposal", app, user];

  return {
    /** `undefined` for an unknown id. @throws SkillError `BACKEND_FAILED` for a record that this release cannot read. */
    read: async (id: string, options: CallOptions) => {
      const found = await values.get([...all, id], options);
      return found && { ...parsed(found.value), revision: found.revision };
    },
    list: async (options: CallOptions): Promise<readonly SkillProposal[]> => {
      const found: SkillProposal[] = [];
      for await (const { value } of values.list(all, options)) found.push(value.proposal);
      return found;
    },
    /** Returns false if the record is not at the revision `from`. `null` stands for a proposal that does not exist yet. */
    write: async ({ proposal, change }: StoredProposal, from: string | null, options: CallOptions) =>
      await values.put([...all, proposal.id], { proposal, change: packed(change) }, { from }, options),
    /** Returns `true` to one of several callers. */
    remove: async (id: string, options: CallOptions) => await values.delete([...all, id], options),
  };
}

function packed(change: SkillChange): Stored["change"] {
  if (change.action !== "create" && change.action !== "update") return change as Stored["change"];
  const put = change.put?.map((file) => ({
    path: file.path,
    base64: Buffer.from(proposedBytes(file)).toString("base64"),
  }));
  return { ...change, put } as unknown as Stored["change"];
}

function parsed({ proposal, change }: Stored): StoredProposal {
  const put = change.put?.map(({ path, base64 }) => ({ path, content: Buffer.from(base64, "base64") }));
  return { proposal, change: { ...change, ...(put && { put }) } as SkillChange };
}
