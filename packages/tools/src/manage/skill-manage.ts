import {
  type JsonObject,
  SkillError,
  type SkillTool,
  type ToolContext,
  type WritableSkillCatalog,
} from "@skillwright/core";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import type { ApprovalDesk } from "../permission/ask-approval.js";
import { resolvedSkill } from "../skill/resolved-skill.js";
import type { HeldCatalog } from "./held-catalog.js";
import { type ManageFields, manageFields } from "./manage-fields.js";
import { earlierVersions, listedSkills, shownSkill } from "./managed-skills.js";
import { checkNeeded, requestedChange } from "./requested-change.js";
import { type Review, reviewedChange } from "./reviewed-change.js";
import type { SkillProposals } from "./skill-proposal.js";

export interface ManageParts {
  readonly skills: WritableSkillCatalog;
  readonly held: HeldCatalog;
  readonly desk: ApprovalDesk;
  readonly proposals: SkillProposals;
  readonly review: Review;
  /** Repository by scope; the first is the default. */
  readonly scopes: ReadonlyMap<string, string>;
}

/**
 * Lists, shows, creates, changes and deletes skills, lists their versions and brings one back. Every change
 * is linted and reviewed before any part of it becomes active, and applied with one upload. Only text below
 * references/, templates/, scripts/ and assets/ can be added. With `reload: false` a change is stored and appears in
 * lists after the next `reload`.
 */
export function skillManageTool(parts: ManageParts): SkillTool {
  const { skills, held, desk, scopes } = parts;
  const [first = "project", ...others] = scopes.keys();
  return defineTool({
    name: "skill_manage",
    description:
      "Manages skills: list, get, create, update, patch, write_file, remove_file, delete, restore, versions, rollback, reload.",
    parallel: false,
    input: () => manageFields([first, ...others]),
    aliases: { skill: "name" },
    run,
  });

  async function run(fields: ManageFields, context: ToolContext): Promise<ToolAnswer> {
    const { action, name = "", scope = first, reload = true } = fields;
    const { signal } = context;
    checkNeeded(fields);
    if (action === "list") return { output: await listedSkills(held.skills, scopes, context) };
    if (action === "get") return { output: await shownSkill(skills, name, scopes, context) };
    if (action === "reload") {
      await skills.refresh(undefined, { signal });
      await held.reload({ signal });
      return { output: { action, skills: (await held.skills.snapshot({ signal })).skills.length } };
    }
    const repository = scopes.get(scope) ?? scope;
    if (action === "versions") {
      await resolvedSkill(skills, name, context);
      const versions = await earlierVersions(skills, repository, name, context);
      return { output: { action, name, scope, versions } };
    }
    // A skill hidden from the model cannot be changed by it.
    if (action !== "create" && action !== "restore") await resolvedSkill(skills, name, context);
    const done =
      action === "restore"
        ? await restored(name, repository, context)
        : await reviewedChange(await requestedChange(skills, fields, repository, { signal }), parts, context);
    if (reload && done["waits"] !== true) await held.reload({ signal });
    return { output: { action, name, scope, ...done } };
  }

  async function restored(name: string, repository: string, context: ToolContext): Promise<JsonObject> {
    const { signal } = context;
    if (parts.review === "later")
      throw new SkillError("UNSUPPORTED", "Changes wait for a person here; ask the user to restore it.");
    const reason = `The deleted skill "${name}" of "${repository}" would be active again.`;
    if (parts.review === "ask")
      await desk.ask(
        {
          action: "write",
          skill: name,
          source: repository,
          subject: `restore ${repository}/${name}`,
          reason,
        },
        context,
      );
    return { digest: (await skills.restore(repository, name, { signal })).digest };
  }
}
