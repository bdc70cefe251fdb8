import { type CallOptions, type CatalogSnapshot, type SkillCatalog, SkillError } from "@skillwright/core";
import { delegate, untilAborted } from "@skillwright/core/adapter";

export interface HeldCatalog {
  readonly skills: SkillCatalog;
  /** Takes a new snapshot of the catalogue. */
  reload(options?: CallOptions): Promise<void>;
}

/**
 * A catalogue whose skills are those of the latest snapshot until `reload`. Skill
 * content is read in its current state; a skill added since the snapshot is not loaded.
 */
export function heldCatalog(skills: SkillCatalog): HeldCatalog {
  let held: Promise<CatalogSnapshot> | undefined;

  /** Does not use a caller's signal, since others wait for the same snapshot. */
  function look(): Promise<CatalogSnapshot> {
    const looking = skills.snapshot();
    held = looking;
    looking.catch(() => {
      if (held === looking) held = undefined;
    });
    return looking;
  }

  const snapshot: SkillCatalog["snapshot"] = async ({ signal } = {}) =>
    await untilAborted(held ?? look(), signal);

  const search: SkillCatalog["search"] = async (query, options = {}) => {
    const { limit = 10 } = options;
    const known = new Set((await snapshot(options)).skills.map(({ name }) => name));
    const hits = await skills.search(query, { ...options, limit: Number.MAX_SAFE_INTEGER });
    return hits.filter(({ skill }) => known.has(skill.name)).slice(0, limit);
  };

  /** A skill added since the snapshot is available only after the next one. */
  const load: SkillCatalog["load"] = async (name, options = {}) => {
    const skill = await skills.load(name, options);
    const known = (await snapshot(options)).skills;
    if (known.some((one) => one.name === skill.name)) return skill;
    throw new SkillError(
      "SKILL_NOT_FOUND",
      `There is no skill ${JSON.stringify(name.slice(0, 80))} yet. Reload.`,
      {
        details: { suggestions: [] },
      },
    );
  };

  async function reload({ signal }: CallOptions = {}): Promise<void> {
    await untilAborted(look(), signal);
  }

  return { skills: delegate(skills, { snapshot, load, search }), reload };
}
