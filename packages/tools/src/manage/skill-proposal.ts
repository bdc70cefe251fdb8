import type { ApprovalChange, CallOptions, Skill } from "@skillwright/core";
import type { LintFinding } from "@skillwright/lint";
import type { ProposedFile } from "./support-file.js";

/** A change to one skill of one repository, before linting and review. */
export type SkillChange = {
  readonly repository: string;
  readonly name: string;
} & (
  | {
      /** `create` refuses an existing skill, `update` a missing one. */
      readonly action: "create" | "update";
      /** Files to write; all other files of the skill stay. */
      readonly put?: readonly ProposedFile[];
      /** Paths to remove. */
      readonly remove?: readonly string[];
      /** Digest of the skill on which the files are based. If the skill has another digest, that is a `CONFLICT`. */
      readonly from?: string | undefined;
    }
  | { readonly action: "delete" }
  | {
      /** Gives the skill the content of an earlier version, as its newest one. */
      readonly action: "rollback";
      readonly version: string;
    }
);

/** A linted change that waits for a decision. Plain data. */
export interface SkillProposal {
  readonly id: string;
  readonly action: SkillChange["action"];
  readonly repository: string;
  readonly name: string;
  /** Digest of the skill when the proposal was created. Missing for a new skill. */
  readonly baseDigest?: string;
  /**
   * Digest of the skill after the change. For a deletion, digest of the current skill. An approval applies to this
   * digest only.
   */
  readonly digest: string;
  readonly changes: readonly ApprovalChange[];
  /** The linter's findings about the skill after the change. */
  readonly findings: readonly LintFinding[];
  /** Those that the current skill does not have. */
  readonly newFindings: readonly LintFinding[];
  /** ISO 8601 time at which it was proposed. */
  readonly createdAt: string;
}

/** Changes to skills that wait for a decision. None of them is active before `apply`. */
export interface SkillProposals {
  /**
   * Lints the change and stores it.
   * @throws SkillError `SKILL_EXISTS`, `SKILL_NOT_FOUND`, `CONFLICT` where the name belongs to another repository,
   * `SKILL_INVALID`; `REFUSED` where the linter finds a new error; `LIMIT_EXCEEDED` where 100 are waiting; as
   * `proposedBytes`.
   */
  propose(change: SkillChange, options?: CallOptions): Promise<SkillProposal>;
  /** Replaces a waiting change; its digest changes with it. @throws SkillError as `propose` and `apply`. */
  revise(id: string, change: SkillChange, options?: CallOptions): Promise<SkillProposal>;
  /** The waiting changes, oldest first, including those of earlier processes where they are stored. */
  list(options?: CallOptions): Promise<readonly SkillProposal[]>;
  /**
   * Content of a file after the change; for a deletion, before it.
   * @throws SkillError `INPUT_INVALID` for an unknown id; `FILE_NOT_FOUND`; `CONFLICT` for a file that the change
   * leaves as it is, where the skill changed since.
   */
  content(id: string, path: string, options?: CallOptions): Promise<Uint8Array>;
  /**
   * Applies the change, if it still has that digest and the skill is still the one it is based on. A change that a
   * killed process applied without removing its proposal is not written again.
   * @returns The skill after the change; `undefined` after a deletion.
   * @throws SkillError `CONFLICT` where the proposal was revised, the skill changed or another process decides about
   * the skill: nothing is written then; `INPUT_INVALID` for an unknown id, also where another process has decided on
   * it; as `WritableSkillCatalog.upload`.
   */
  apply(id: string, decision: { readonly digest: string } & CallOptions): Promise<Skill | undefined>;
  /**
   * Discards the change. Returns `false` where there was none.
   * @throws SkillError `CONFLICT` where another process decides about the skill.
   */
  reject(id: string, options?: CallOptions): Promise<boolean>;
}
