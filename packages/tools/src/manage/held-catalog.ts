import {
  type CallOptions,
  type CatalogSnapshot,
  type SkillCatalog,
  SkillError,
  untilAborted,
} from "@skillwright/core";
import { delegate } from "./delegate.js";

export interface HeldCatalog {
  readonly skills: SkillCatalog;
  /** Looks at the catalogue again. */
  reload(options?: CallOptions): Promise<void>;
}

/**
 * The catalogue whose skills are those of the last look until somebody reloads, as seed 000 has it (PB-11, PB-17). What is
 * in a skill is read as it is; one that came since is not loaded.
 */
export function heldCatalog(skills: SkillCatalog): HeldCatalog {
  let held: Promise<CatalogSnapshot> | undefined;

  /** Not with a caller's signal, since others wait for the same look. */
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

  /** A skill that came since the look is there only after the next. */
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
