import { type SkillCatalog, SkillError, type WritableSkillCatalog } from "@skillwright/core";
import type { Review } from "./reviewed-change.js";
import type { SkillProposals } from "./skill-proposal.js";
import { skillProposals } from "./skill-proposals.js";

export interface SkillManageOptions {
  /** Names of the scopes and their repositories, the default first: `{ project: "project", user: "user" }` by default. */
  readonly scopes?: Readonly<Record<string, string>> | undefined;
  /**
   * What stands between a change and its being active, beside the linter: `ask` the `approval` (default), leave it in
   * `proposals` for `later` (default where they are given), or `none`.
   */
  readonly review?: Review | undefined;
  /** Where changes wait; `skillProposals(skills)`. Needed for `later`. */
  readonly proposals?: SkillProposals | undefined;
}

export interface ManageSettings {
  readonly skills: WritableSkillCatalog;
  readonly scopes: ReadonlyMap<string, string>;
  readonly review: Review;
  readonly proposals: SkillProposals;
}

/** @throws SkillError `CONFIG_INVALID` for a catalogue that cannot be written, no scopes, and `later` without proposals. */
export function manageSettings(skills: SkillCatalog, options: SkillManageOptions): ManageSettings {
  if (!isWritable(skills))
    throw invalid("`manage` needs a catalogue that can be written, such as skillBox gives");
  const { scopes = { project: "project", user: "user" }, proposals } = options;
  const { review = proposals ? "later" : "ask" } = options;
  if (!["ask", "later", "none"].includes(review))
    throw invalid('`manage.review` is "ask", "later" or "none"');
  if (Object.keys(scopes).length === 0) throw invalid("`manage.scopes` names no scope");
  if (review === "later" && !proposals)
    throw invalid("`manage.review` is later, but nobody could see what waits: give `manage.proposals`");
  return {
    skills,
    scopes: new Map(Object.entries(scopes)),
    review,
    proposals: proposals ?? skillProposals(skills),
  };
}

function isWritable(skills: SkillCatalog): skills is WritableSkillCatalog {
  const { upload, refresh } = skills as Partial<WritableSkillCatalog>;
  return (
    typeof upload === "function" &&
    typeof refresh === "function" &&
    typeof (skills as Partial<WritableSkillCatalog>).delete === "function"
  );
}

function invalid(what: string): SkillError {
  return new SkillError("CONFIG_INVALID", `skillTools: ${what}.`);
}
