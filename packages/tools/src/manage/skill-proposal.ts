import type { ApprovalChange, CallOptions, LintFinding, Skill } from "@skillwright/core";
import type { ProposedFile } from "./support-file.js";

/** A change to one skill of one repository, before anything is judged. */
export type SkillChange = {
  readonly repository: string;
  readonly name: string;
} & (
  | {
      /** `create` refuses a skill that is there, `update` one that is not. */
      readonly action: "create" | "update";
      /** Files to write; all others of the skill stay. */
      readonly put?: readonly ProposedFile[];
      /** Paths to take out. */
      readonly remove?: readonly string[];
      /** The digest of the skill that the files were made from; where it is another by now, that is a `CONFLICT`. */
      readonly from?: string | undefined;
    }
  | { readonly action: "delete" }
);

/** A change that was judged and waits. Plain data. */
export interface SkillProposal {
  readonly id: string;
  readonly action: SkillChange["action"];
  readonly repository: string;
  readonly name: string;
  /** Of the skill as it was when the proposal was made; missing for a new one. */
  readonly baseDigest?: string;
  /** Of the skill as it would be; of a deletion that of the skill as it is. What is allowed is allowed for this one only. */
  readonly digest: string;
  readonly changes: readonly ApprovalChange[];
  /** Of the linter, about the skill as it would be. */
  readonly findings: readonly LintFinding[];
  /** Those of them that the skill as it is does not have. */
  readonly newFindings: readonly LintFinding[];
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Changes to skills that wait for a decision. Nothing of them is active before `apply`. */
export interface SkillProposals {
  /**
   * Judges the change and keeps it.
   * @throws SkillError `SKILL_EXISTS`, `SKILL_NOT_FOUND`, `CONFLICT` where the name belongs to another repository,
   *   `SKILL_INVALID`; `REFUSED` where the linter finds an error that was not there before; as `proposedBytes`.
   */
  propose(change: SkillChange, options?: CallOptions): Promise<SkillProposal>;
  /** Puts another change in the place of a waiting one, whose digest is then another. @throws SkillError as `propose`. */
  revise(id: string, change: SkillChange, options?: CallOptions): Promise<SkillProposal>;
  /** Those that wait, oldest first. */
  list(): readonly SkillProposal[];
  /** The bytes of a file as it would be. @throws SkillError `INPUT_INVALID` for an unknown id, `FILE_NOT_FOUND`. */
  content(id: string, path: string): Uint8Array;
  /**
   * Makes the change, if it is still the one with that digest and the skill is still the one it was made from.
   * @returns The skill as it is now; `undefined` after a deletion.
   * @throws SkillError `CONFLICT` where the proposal was revised (OC-61) or the skill changed (OC-60): nothing is written
   *   then; `INPUT_INVALID` for an unknown id; as `WritableSkillCatalog.upload`.
   */
  apply(id: string, decision: { readonly digest: string } & CallOptions): Promise<Skill | undefined>;
  /** Forgets it; `false` where there was none. */
  reject(id: string): boolean;
}
