import { type SkillCatalog, SkillError, type WritableSkillCatalog } from "@skillwright/core";
import type { Review } from "./reviewed-change.js";
import type { SkillProposals } from "./skill-proposal.js";
import { skillProposals } from "./skill-proposals.js";

export interface SkillManageOptions {
  /** Scope names and their repositories, the default first. Defaults to `{ project: "project", user: "user" }`. */
  readonly scopes?: Readonly<Record<string, string>> | undefined;
  /**
   * How a change is reviewed after linting: `ask` the `approval` (default), keep it in `proposals` for `later` (default
   * where they are given), or `none`.
   */
  readonly review?: Review | undefined;
  /** Where changes wait for review; `skillProposals(skills)`. Required for `later`. */
  readonly proposals?: SkillProposals | undefined;
}

export interface ManageSettings {
  readonly skills: WritableSkillCatalog;
  readonly scopes: ReadonlyMap<string, string>;
  readonly review: Review;
  readonly proposals: SkillProposals;
}

/** @throws SkillError `CONFIG_INVALID` for a read-only catalogue, no scopes, and `later` without proposals. */
export function manageSettings(skills: SkillCatalog, options: SkillManageOptions): ManageSettings {
  if (!isWritable(skills)) throw invalid("`manage` needs a writable catalogue, such as that of skillBox");
  const { scopes = { project: "project", user: "user" }, proposals } = options;
  const { review = proposals ? "later" : "ask" } = options;
  if (!["ask", "later", "none"].includes(review))
    throw invalid('`manage.review` is "ask", "later" or "none"');
  if (Object.keys(scopes).length === 0) throw invalid("`manage.scopes` is empty");
  if (review === "later" && !proposals)
    throw invalid("`manage.review` is later, which needs `manage.proposals` to store the waiting changes");
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
