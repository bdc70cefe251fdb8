import { randomUUID } from "node:crypto";
import {
  type CallOptions,
  type RecordStore,
  type SessionScope,
  type Skill,
  SkillError,
  type WritableSkillCatalog,
} from "@skillwright/core";
import { taskQueue } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { currentSkill, judgedChange, madeChange } from "./judged-change.js";
import { oneDecision } from "./one-decision.js";
import type { SkillChange, SkillProposal, SkillProposals } from "./skill-proposal.js";
import { type StoredProposal, storedProposals } from "./stored-proposals.js";
import { proposedBytes } from "./support-file.js";

const MAX_WAITING = 100;

export interface SkillProposalsOptions {
  /** The store of the proposals, such as `fsRecords`. Defaults to the memory of this process. */
  readonly records?: RecordStore | undefined;
  /**
   * Under which the proposals are stored. Give each catalogue its own, since a proposal names its repository only.
   * Defaults to `{ app: "skill-proposals", user: "all" }`.
   */
  readonly owner?: Pick<SessionScope, "app" | "user"> | undefined;
}

/**
 * Stores proposals over the catalogue, at most 100, in the memory of this process or in a record store. A change is
 * applied with one upload, so that a reader sees the old skill or the new one. Processes that share the store decide
 * about a skill one at a time; whoever writes to the repository in another way may still do so between the check of the
 * digest and the upload.
 */
export function skillProposals(
  skills: WritableSkillCatalog,
  { records = memoryRecords(), owner = { app: "skill-proposals", user: "all" } }: SkillProposalsOptions = {},
): SkillProposals {
  const stored = storedProposals(records, owner);
  const decide = oneDecision(records, owner);
  const inOrder = taskQueue();
  let newest = 0;

  async function propose(change: SkillChange, options: CallOptions = {}): Promise<SkillProposal> {
    if ((await stored.list(options)).length >= MAX_WAITING)
      throw new SkillError(
        "LIMIT_EXCEEDED",
        `${MAX_WAITING} proposals are already waiting, which is the limit. Decide on some of them first.`,
      );
    // Times are unique here, since they order the proposals.
    newest = Math.max(Date.now(), newest + 1);
    const place = { id: randomUUID(), createdAt: new Date(newest).toISOString() };
    return await keep(place, null, change, options);
  }

  const revise: SkillProposals["revise"] = (id, change, options = {}) =>
    decided(
      id,
      options,
      async ({ proposal, revision }, held) => await keep(proposal, revision, change, held),
    );

  async function keep(
    { id, createdAt }: Pick<SkillProposal, "id" | "createdAt">,
    from: string | null,
    change: SkillChange,
    options: CallOptions,
  ): Promise<SkillProposal> {
    const { base, digest, changes, findings } = await judgedChange(skills, change, options);
    const { action, repository, name } = change;
    const proposal: SkillProposal = {
      id,
      action,
      repository,
      name,
      ...(base ? { baseDigest: base.digest } : {}),
      digest,
      changes,
      findings: findings.all,
      newFindings: findings.added,
      createdAt,
    };
    if (await stored.write({ proposal, change }, from, options)) return proposal;
    throw decidedMeanwhile(proposal);
  }

  const list: SkillProposals["list"] = async (options = {}) =>
    [...(await stored.list(options))].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));

  async function content(id: string, path: string, options: CallOptions = {}): Promise<Uint8Array> {
    const { proposal, change } = await known(id, options);
    const put = "put" in change ? change.put?.findLast((file) => file.path === path) : undefined;
    if (put) return proposedBytes(put);
    if ((await currentDigest(change, options)) !== proposal.baseDigest) throw stale(proposal);
    const { files } = await madeChange(skills, change, options);
    const file = files.get(path);
    if (file) return file.bytes;
    throw new SkillError(
      "FILE_NOT_FOUND",
      `The proposal has no file "${path}". It has: ${[...files.keys()].join(", ")}.`,
    );
  }

  const apply: SkillProposals["apply"] = (id, { digest, signal }) =>
    decided(id, { signal }, async ({ proposal, change }, options) => {
      if (proposal.digest !== digest) throw revised(proposal);
      const skill = await make(proposal, change, options);
      await stored.remove(id, options);
      return skill;
    });

  /** Writes nothing where the skill is as the change makes it: then a process was killed after it had applied it. */
  async function make(
    proposal: SkillProposal,
    change: SkillChange,
    options: CallOptions,
  ): Promise<Skill | undefined> {
    const { action, repository, name } = change;
    const current = await currentDigest(change, options);
    if (action === "delete") {
      if (current === undefined) return undefined;
      if (current !== proposal.baseDigest) throw stale(proposal);
      await skills.delete(repository, name, options);
      return undefined;
    }
    if (current === proposal.digest && current !== proposal.baseDigest)
      return await skills.load(name, options);
    if (action !== "create" && current !== proposal.baseDigest) throw stale(proposal);
    const { files, digest } = await madeChange(skills, change, options);
    if (digest !== proposal.digest) throw stale(proposal);
    const upload = [...files].map(([path, { bytes, executable }]) => ({ path, content: bytes, executable }));
    const existing = action === "create" ? "refuse" : "replace";
    return await skills.upload(repository, upload, { ...options, existing, by: `skill_manage: ${action}` });
  }

  /** Digest of the active skill in that repository; `undefined` where there is none. */
  async function currentDigest(change: SkillChange, options: CallOptions): Promise<string | undefined> {
    try {
      return (await currentSkill(skills, { ...change, action: "delete" }, options))?.digest;
    } catch (error) {
      if (SkillError.is(error, "SKILL_NOT_FOUND")) return undefined;
      if (change.action === "create" && SkillError.is(error, "CONFLICT")) return undefined;
      throw error;
    }
  }

  async function reject(id: string, options: CallOptions = {}): Promise<boolean> {
    try {
      return await decided(id, options, async (_, held) => await stored.remove(id, held));
    } catch (error) {
      if (SkillError.is(error, "INPUT_INVALID")) return false;
      throw error;
    }
  }

  /** Runs the work with the proposal as it is while nobody else decides about its skill. */
  async function decided<T>(
    id: string,
    { signal }: CallOptions,
    work: (waiting: Known, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    return await inOrder.run(async () => {
      const { change } = await known(id, { signal });
      return await decide(change, { signal }, async (held) => await work(await known(id, held), held));
    }, signal);
  }

  async function known(id: string, options: CallOptions): Promise<Known> {
    const found = await stored.read(id, options);
    if (found) return found;
    throw new SkillError(
      "INPUT_INVALID",
      `There is no waiting proposal "${id}"; it may have been decided already. List the proposals to see their ids.`,
    );
  }

  return { propose, revise, list, content, apply, reject };
}

interface Known extends StoredProposal {
  readonly revision: string;
}

function decidedMeanwhile({ id }: SkillProposal): SkillError {
  return new SkillError(
    "CONFLICT",
    `The proposal "${id}" was decided or revised at the same time. List the proposals again.`,
  );
}

function revised({ name }: SkillProposal): SkillError {
  return new SkillError(
    "CONFLICT",
    `The proposal for "${name}" was revised after that digest was reviewed. Review it again.`,
  );
}

function stale({ name, repository }: SkillProposal): SkillError {
  return new SkillError(
    "CONFLICT",
    `The skill "${name}" in "${repository}" changed after the proposal was made. Nothing was written; propose the change again.`,
  );
}
