import { type CatalogSkill, type CatalogSnapshot, type CatalogSource, SkillError } from "@skillwright/core";
import { searchIndex } from "./search/search-index.js";

const NAMED_AT_ONCE = 10;

/**
 * The skill of that name, otherwise the one at that path.
 * @throws SkillError `SKILL_INVALID` where there is only a broken one; `BACKEND_FAILED` when a source that may have it
 * could not be listed; `SKILL_NOT_FOUND` with up to three `details.suggestions`, and with all `details.names` where
 * they are at most ten.
 */
export function findSkill(snapshot: CatalogSnapshot, name: string): CatalogSkill {
  const found =
    snapshot.skills.find((skill) => skill.name === name) ??
    snapshot.skills.find((skill) => skill.path === name);
  if (found) return found;
  const broken = snapshot.broken.find(({ path }) => path === name || path.split("/").at(-1) === name);
  if (broken) {
    const why = broken.diagnostics.map(({ message }) => message).join(" ");
    throw new SkillError(
      "SKILL_INVALID",
      `The skill "${name}" of "${broken.source}" cannot be used: ${why}`,
      {
        details: { source: broken.source, path: broken.path, diagnostics: broken.diagnostics },
      },
    );
  }
  const unlisted = sourcesIn(snapshot, "unlisted");
  if (unlisted.length > 0) throw notKnown(name, unlisted);
  const suggestions = similarNames(snapshot, name, 3);
  const shown = JSON.stringify(name.slice(0, 80));
  const names = snapshot.skills.map((skill) => skill.name);
  const few = names.length <= NAMED_AT_ONCE ? { names } : {};
  throw new SkillError("SKILL_NOT_FOUND", `There is no skill ${shown}. ${remedy(suggestions, snapshot)}`, {
    details: { skill: name.slice(0, 80), suggestions, ...few },
  });
}

function sourcesIn({ sources = [] }: CatalogSnapshot, state: CatalogSource["state"]): readonly string[] {
  return sources.filter((one) => one.state === state).map(({ source }) => `"${source}"`);
}

function notKnown(name: string, unlisted: readonly string[]): SkillError {
  const shown = JSON.stringify(name.slice(0, 80));
  return new SkillError(
    "BACKEND_FAILED",
    `It is unknown whether a skill ${shown} exists, because ${unlisted.join(", ")} cannot be reached. Try again later.`,
    { details: { skill: name.slice(0, 80) } },
  );
}

function remedy(suggestions: readonly string[], snapshot: CatalogSnapshot): string {
  const stale = sourcesIn(snapshot, "stale");
  const since =
    stale.length > 0
      ? ` Recent changes in ${stale.join(", ")} are unknown, because it cannot be reached.`
      : "";
  return `${choice(suggestions, snapshot)}${since}`;
}

function choice(suggestions: readonly string[], { skills }: CatalogSnapshot): string {
  if (suggestions.length > 0) return `Did you mean ${suggestions.map((name) => `"${name}"`).join(", ")}?`;
  if (skills.length === 0) return "The catalogue has no skills; check the sources.";
  return `Choose one of the ${skills.length} listed skills.`;
}

/** Names similar to the given one, most similar first. */
function similarNames({ skills }: CatalogSnapshot, name: string, limit: number): readonly string[] {
  const index = searchIndex();
  const shown = new Map(skills.map((skill, number) => [String(number), skill]));
  for (const [key, skill] of shown) index.add(key, { name: skill.name, description: "" }, undefined);
  return index.search(name, shown, limit).map(({ skill }) => skill.name);
}
