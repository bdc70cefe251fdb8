import { createHash } from "node:crypto";
import type {
  ApprovalChange,
  ApprovalRequest,
  CallOptions,
  RecordStore,
  SessionScope,
} from "@skillwright/core";
import { recordValues } from "@skillwright/records";
import type { ApprovalScope, ApprovedFiles, LastingApproval } from "./approval-question.js";

type Owner = Pick<SessionScope, "app" | "user">;
type Granted = Omit<LastingApproval, "id" | "covers">;

interface LastApproved {
  readonly digest?: string | undefined;
  readonly files: ApprovedFiles;
}

/** What a user approved for longer than one call, and the content that was approved last. */
export function lastingApprovals(records: RecordStore) {
  const granted = recordValues<Granted>(records, "approval");
  const contents = recordValues<LastApproved>(records, "approved content");
  const grantedTo = ({ app, user }: Owner) => ["approval", app, user];
  const contentKey = ({ app, user }: Owner, { action, source, skill }: ApprovalRequest) => [
    ...["approved-content", app, user],
    hash([action, source, skill]),
  ];

  async function list(owner: Owner, options: CallOptions): Promise<readonly LastingApproval[]> {
    const found: LastingApproval[] = [];
    for await (const { name: id, value } of granted.list(grantedTo(owner), options)) {
      const covers = LASTING.find((scope) => id.startsWith(`${scope}-`));
      if (covers) found.push({ id, covers, ...value });
    }
    return found.sort((a, b) => (a.at < b.at ? -1 : 1));
  }

  return {
    list,
    /** Reads the user's approvals once, to look up any number of requests. */
    of: async (owner: Owner, options: CallOptions) => {
      const ids = new Set((await list(owner, options)).map(({ id }) => id));
      return (request: ApprovalRequest): ApprovalScope | undefined =>
        LASTING.find((scope) => ids.has(idOf(scope, request) ?? ""));
    },
    keep: async (owner: Owner, scope: ApprovalScope, request: ApprovalRequest, options: CallOptions) => {
      const id = idOf(scope, request);
      if (id === undefined) return;
      const { skill, source, action } = request;
      const value = { action, skill, source, at: new Date().toISOString() } as Granted;
      await granted.put([...grantedTo(owner), id], value, { from: null }, options);
    },
    revoke: async (owner: Owner, id: string, options: CallOptions) =>
      IDS.test(id) && (await granted.delete([...grantedTo(owner), id], options)),
    /** Remembers the content, for the next question about the skill. */
    keepContent: async (
      owner: Owner,
      request: ApprovalRequest,
      files: ApprovedFiles,
      options: CallOptions,
    ) => {
      const { digest } = request;
      await contents.put(contentKey(owner, request), { digest, files }, {}, options);
    },
    /** How the content differs from what was approved last; `undefined` where nothing was. */
    changes: async (owner: Owner, request: ApprovalRequest, files: ApprovedFiles, options: CallOptions) => {
      const last = (await contents.get(contentKey(owner, request), options))?.value;
      return last && { approvedDigest: last.digest, changes: changedFiles(last.files, files) };
    },
  };
}

const LASTING = ["digest", "source"] as const;
const IDS = /^(digest|source)-[0-9a-f]{32}$/;

/** `undefined` where an approval of that scope cannot last. */
function idOf(scope: ApprovalScope, { action, source, digest }: ApprovalRequest): string | undefined {
  if (scope === "digest" && digest !== undefined) return `digest-${hash([action, source, digest])}`;
  if (scope === "source" && source !== undefined) return `source-${hash([action, source])}`;
  return undefined;
}

function changedFiles(before: ApprovedFiles, after: ApprovedFiles): readonly ApprovalChange[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths.flatMap((path): ApprovalChange[] => {
    if (before[path] === after[path]) return [];
    const change = before[path] === undefined ? "added" : after[path] === undefined ? "removed" : "changed";
    return [{ path, change }];
  });
}

/** 32 hexadecimal digits that stand for the value. */
export function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
