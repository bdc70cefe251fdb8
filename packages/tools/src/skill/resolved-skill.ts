import {
  type CatalogSkill,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
  skillFields,
  type ToolContext,
} from "@skillwright/core";
import { isLoaded, type LoadState } from "./loaded-state.js";

/** A skill resolved with one look at the catalogue: text, needs, files, source, trust and digest. */
export type ResolvedSkill = Skill & SkillOrigin;

const NEAR = 3;
/** Number of skills up to which catalogues list all names in a refusal. */
const NAMED_AT_ONCE = 10;

/**
 * Returns the skill as a model may see it. A skill that only people may start (`disable-model-invocation`) becomes
 * visible to the model once it is loaded in the session; before, it is answered like a missing one.
 * @throws SkillError `SKILL_NOT_FOUND` with similar names, `SKILL_INVALID` with what is wrong with it.
 */
export async function resolvedSkill(
  skills: SkillCatalog,
  name: string,
  context: ToolContext,
): Promise<ResolvedSkill> {
  const { signal } = context;
  try {
    const skill = await skills.load(name, { signal });
    if (skill.name === name && isVisible(skill, context)) return skill;
  } catch (error) {
    if (!SkillError.is(error, "SKILL_NOT_FOUND")) throw error;
    throw missing(name, await visibleOf(skills, choicesIn(error), context));
  }
  throw missing(name, await choicesFor(skills, name, context));
}

/** Considers every accepted spelling of the field. */
export function isVisible(
  { name, frontmatter }: Pick<CatalogSkill, "name" | "frontmatter">,
  context: LoadState,
): boolean {
  // Most skills have no such field, and parsing all fields of 10,000 skills takes too long.
  const mayHide = Object.keys(frontmatter).some((key) => key === "metadata" || key.startsWith("disable"));
  return !mayHide || !skillFields(frontmatter).disableModelInvocation || isLoaded(name, context);
}

interface Choices {
  /** Similar names, best first. */
  readonly suggestions: readonly string[];
  /** All names, where they are few. */
  readonly names?: readonly string[] | undefined;
}

/** For a skill that exists but must appear missing: its own name would be the best match. */
async function choicesFor(skills: SkillCatalog, name: string, context: ToolContext): Promise<Choices> {
  const { signal } = context;
  const visible = (all: readonly CatalogSkill[]) =>
    all.filter((skill) => isVisible(skill, context)).map((skill) => skill.name);
  const near = visible((await skills.search(name, { signal })).map(({ skill }) => skill)).slice(0, NEAR);
  if (near.length > 0) return { suggestions: near };
  const { skills: all } = await skills.snapshot({ signal });
  return { suggestions: [], names: all.length <= NAMED_AT_ONCE ? visible(all) : undefined };
}

/** Reads the names that the catalogue included in its refusal, instead of asking again. */
function choicesIn({ details = {} }: SkillError): Choices {
  const named = (value: unknown) =>
    Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
  return { suggestions: named(details["suggestions"]) ?? [], names: named(details["names"]) };
}

async function visibleOf(
  skills: SkillCatalog,
  { suggestions, names }: Choices,
  context: ToolContext,
): Promise<Choices> {
  const seen = async (all: readonly string[]): Promise<readonly string[]> => {
    const shown: string[] = [];
    for (const name of all) {
      const skill = await skills.load(name, { signal: context.signal }).catch(unlessAborted);
      if (skill && isVisible(skill, context)) shown.push(name);
    }
    return shown;
  };
  return { suggestions: await seen(suggestions), names: names && (await seen(names)) };
}

/** Ignores any error but that of an aborted call. */
export function unlessAborted(error: unknown): undefined {
  if (SkillError.is(error, "ABORTED")) throw error;
}

function missing(name: string, { suggestions, names }: Choices): SkillError {
  const quoted = (all: readonly string[]) => all.map((one) => `"${one}"`).join(", ");
  const choice =
    suggestions.length > 0
      ? `Did you mean ${quoted(suggestions)}?`
      : names === undefined
        ? "Find the right name with skill_list."
        : names.length === 0
          ? "There are no skills."
          : `There are: ${quoted(names)}.`;
  const shown = JSON.stringify(name.slice(0, 80));
  return new SkillError("SKILL_NOT_FOUND", `There is no skill ${shown}. ${choice}`, {
    details: { suggestions },
  });
}
