import {
  type CatalogSkill,
  type SkillCatalog,
  SkillError,
  skillFields,
  type ToolContext,
} from "@skillwright/core";
import { isLoaded, type LoadState } from "./loaded-state.js";

const NAMED_AT_ONCE = 10;

/**
 * The skill as a model may see it. One that only people may start (`disable-model-invocation`) is there for the model
 * once it is loaded in the session; before, it is answered like one that does not exist (TR-115).
 * @throws SkillError `SKILL_NOT_FOUND` with names that come close, `SKILL_INVALID` with what is wrong with it.
 */
export async function visibleSkill(
  skills: SkillCatalog,
  name: string,
  context: ToolContext,
): Promise<CatalogSkill> {
  const { signal } = context;
  const snapshot = await skills.snapshot({ signal });
  const found = snapshot.skills.find((skill) => skill.name === name);
  if (found && isVisible(found, context)) return found;
  // The catalogue knows what is wrong with a broken one.
  if (!found) await skills.load(name, { signal }).catch(throwUnlessMissing);
  const near = await skills.search(name, { signal });
  throw missing(
    name,
    near.map(({ skill }) => skill).filter((skill) => isVisible(skill, context)),
    snapshot.skills.filter((skill) => isVisible(skill, context)),
  );
}

/** In every spelling of the field that is read, not as it was written alone. */
export function isVisible({ name, frontmatter }: CatalogSkill, context: LoadState): boolean {
  // Most skills have no such field, and reading all fields of 10,000 takes its time.
  const mayHide = Object.keys(frontmatter).some((key) => key === "metadata" || key.startsWith("disable"));
  return !mayHide || !skillFields(frontmatter).disableModelInvocation || isLoaded(name, context);
}

function throwUnlessMissing(error: unknown): void {
  if (!SkillError.is(error, "SKILL_NOT_FOUND")) throw error;
}

function missing(name: string, near: readonly CatalogSkill[], all: readonly CatalogSkill[]): SkillError {
  const suggestions = near.slice(0, 3).map((skill) => skill.name);
  const names = (skills: readonly { name: string }[]) => skills.map((skill) => `"${skill.name}"`).join(", ");
  const choice =
    suggestions.length > 0
      ? `Did you mean ${names(near.slice(0, 3))}?`
      : all.length === 0
        ? "There are no skills."
        : all.length <= NAMED_AT_ONCE
          ? `There are: ${names(all)}.`
          : "Find the right name with skill_list.";
  const shown = JSON.stringify(name.slice(0, 80));
  return new SkillError("SKILL_NOT_FOUND", `There is no skill ${shown}. ${choice}`, {
    details: { suggestions },
  });
}
