import { createHash } from "node:crypto";
import type {
  ApprovalChange,
  ApprovalRequest,
  CallOptions,
  JsonObject,
  SessionScope,
} from "@skillwright/core";
import { changeValue } from "@skillwright/core/adapter";
import { type RecordStore, storedRecords } from "../stored-records.js";
import type { ApprovalScope, ApprovedFiles, LastingApproval } from "./approval-question.js";

type Owner = Pick<SessionScope, "app" | "user">;

/** The record of approvals that cover more than one call. */
const GRANTED = "granted";

interface LastApproved {
  readonly digest: string;
  readonly files: ApprovedFiles;
}

/** What a user approved for longer than one call, and the content that was approved last. */
export function lastingApprovals(store: RecordStore) {
  const records = storedRecords(store, "approved content");
  const lastScope = (owner: Owner, { action, source, skill }: ApprovalRequest): SessionScope => ({
    ...owner,
    session: `last-${hash([action, source, skill])}`,
  });

  return {
    /** Reads the user's approvals once, to look up any number of requests. */
    of: async (owner: Owner, options: CallOptions) => {
      const record = await store.get({ ...owner, session: GRANTED }, options);
      return (request: ApprovalRequest): ApprovalScope | undefined =>
        LASTING.find((scope) => {
          const key = keyOf(scope, request);
          return key !== undefined && record?.state[key] !== undefined;
        });
    },
    keep: async (owner: Owner, scope: ApprovalScope, request: ApprovalRequest, options: CallOptions) => {
      const key = keyOf(scope, request);
      if (key === undefined) return;
      const { skill = null, source = null, action } = request;
      const value = { action, skill, source, at: new Date().toISOString() };
      await changeValue(
        store,
        { ...owner, session: GRANTED },
        key,
        (held) => (held ? undefined : value),
        options,
      );
    },
    list: async (owner: Owner, options: CallOptions): Promise<readonly LastingApproval[]> => {
      const { state = {} } = (await store.get({ ...owner, session: GRANTED }, options)) ?? {};
      return Object.entries(state)
        .flatMap(([key, value]) => lastingApproval(key, value as JsonObject))
        .sort((a, b) => (a.at < b.at ? -1 : 1));
    },
    revoke: async (owner: Owner, id: string, options: CallOptions): Promise<boolean> => {
      let isThere = false;
      const remove = (held: JsonObject | undefined) => {
        isThere = held !== undefined;
        return isThere ? null : undefined;
      };
      await changeValue(store, { ...owner, session: GRANTED }, id.replace("-", ":"), remove, options);
      return isThere;
    },
    /** Remembers the content, for the next question about the skill. */
    keepContent: async (
      owner: Owner,
      request: ApprovalRequest,
      files: ApprovedFiles,
      options: CallOptions,
    ) => {
      await records.replace(lastScope(owner, request), { digest: request.digest, files }, options);
    },
    /** How the content differs from what was approved last; `undefined` where nothing was. */
    changes: async (owner: Owner, request: ApprovalRequest, files: ApprovedFiles, options: CallOptions) => {
      const record = await records.read(lastScope(owner, request), options);
      if (!record) return undefined;
      const { digest, files: before } = record.value as unknown as LastApproved;
      return { approvedDigest: digest, changes: changedFiles(before, files) };
    },
  };
}

const LASTING = ["digest", "source"] as const;

/** `undefined` where an approval of that scope cannot last. */
function keyOf(scope: ApprovalScope, { action, source, digest }: ApprovalRequest): string | undefined {
  if (scope === "digest" && digest !== undefined) return `digest:${hash([action, source, digest])}`;
  if (scope === "source" && source !== undefined) return `source:${hash([action, source])}`;
  return undefined;
}

function lastingApproval(key: string, held: JsonObject): readonly LastingApproval[] {
  const covers = LASTING.find((scope) => key.startsWith(`${scope}:`));
  if (!covers) return [];
  const { action, skill, source, at } = held as unknown as LastingApproval;
  const named = { ...(skill && { skill }), ...(source && { source }) };
  return [{ id: key.replace(":", "-"), covers, action, ...named, at }];
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
