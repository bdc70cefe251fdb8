import { randomUUID } from "node:crypto";
import { type CallOptions, type Skill, SkillError, type WritableSkillCatalog } from "@skillwright/core";
import { taskQueue } from "@skillwright/core/adapter";
import { currentSkill, type JudgedChange, judgedChange } from "./judged-change.js";
import type { SkillChange, SkillProposal, SkillProposals } from "./skill-proposal.js";

const MAX_WAITING = 100;

interface Waiting {
  readonly proposal: SkillProposal;
  readonly change: SkillChange;
  readonly judged: JudgedChange;
}

/**
 * Stores proposals over the catalogue in memory of this process, at most 100. A change is applied with one upload, so
 * that a reader sees the old skill or the new one. Another process may still write between the check of the digest and
 * the upload.
 */
export function skillProposals(skills: WritableSkillCatalog): SkillProposals {
  const waiting = new Map<string, Waiting>();
  const inOrder = taskQueue();

  async function propose(change: SkillChange, options: CallOptions = {}): Promise<SkillProposal> {
    if (waiting.size >= MAX_WAITING)
      throw new SkillError(
        "LIMIT_EXCEEDED",
        `${MAX_WAITING} proposals are already waiting, which is the limit. Decide on some of them first.`,
      );
    return await keep(randomUUID(), change, options);
  }

  async function revise(id: string, change: SkillChange, options: CallOptions = {}): Promise<SkillProposal> {
    known(id);
    return await keep(id, change, options);
  }

  async function keep(id: string, change: SkillChange, options: CallOptions): Promise<SkillProposal> {
    const judged = await judgedChange(skills, change, options);
    const { action, repository, name } = change;
    const { base, digest, changes, findings } = judged;
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
      createdAt: new Date().toISOString(),
    };
    waiting.set(id, { proposal, change, judged });
    return proposal;
  }

  function content(id: string, path: string): Uint8Array {
    const { files } = known(id).judged;
    const file = files.get(path);
    if (!file)
      throw new SkillError(
        "FILE_NOT_FOUND",
        `The proposal has no file "${path}". It has: ${[...files.keys()].join(", ")}.`,
      );
    return Uint8Array.from(file.bytes);
  }

  const apply: SkillProposals["apply"] = (id, { digest, signal }) =>
    inOrder.run(async () => {
      const { proposal, change, judged } = known(id);
      if (proposal.digest !== digest) throw revised(proposal);
      const current = await currentSkill(skills, change, { signal });
      if (current?.digest !== proposal.baseDigest) throw stale(proposal);
      const skill = await make(change, judged, { signal });
      waiting.delete(id);
      return skill;
    });

  async function make(
    { action, repository, name }: SkillChange,
    { files }: JudgedChange,
    options: CallOptions,
  ): Promise<Skill | undefined> {
    if (action === "delete") {
      await skills.delete(repository, name, options);
      return undefined;
    }
    const upload = [...files].map(([path, { bytes, executable }]) => ({ path, content: bytes, executable }));
    const existing = action === "create" ? "refuse" : "replace";
    return await skills.upload(repository, upload, { ...options, existing });
  }

  function known(id: string): Waiting {
    const found = waiting.get(id);
    if (!found)
      throw new SkillError(
        "INPUT_INVALID",
        `There is no waiting proposal "${id}". List the proposals to see their ids.`,
      );
    return found;
  }

  return {
    propose,
    revise,
    list: () => [...waiting.values()].map(({ proposal }) => proposal),
    content,
    apply,
    reject: (id) => waiting.delete(id),
  };
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
