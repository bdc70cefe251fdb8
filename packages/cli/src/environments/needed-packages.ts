import {
  type Diagnostic,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
} from "@skillwright/core";
import { lazyReader } from "@skillwright/core/adapter";
import { type EnvironmentNeed, type EnvironmentStore, skillEnvironmentNeeds } from "@skillwright/workspace";

/** The packages that one file of a skill locks, and whether they are prepared on this machine. */
export interface NeededPackages extends Pick<EnvironmentNeed, "kind" | "declaredIn" | "packages"> {
  readonly prepared: boolean;
}

/** What a skill needs, without running anything. A file that cannot be read is a diagnostic. */
export async function neededPackages(
  skill: Skill & SkillOrigin,
  catalog: SkillCatalog,
  store: EnvironmentStore,
): Promise<{ readonly needs: readonly NeededPackages[]; readonly diagnostics: readonly Diagnostic[] }> {
  const open = lazyReader(
    () => catalog.reader?.(skill.name),
    (path) => catalog.open(skill.name, path),
  );
  try {
    const { needs, diagnostics } = await skillEnvironmentNeeds(skill, open);
    const stored = new Set(needs.length === 0 ? [] : (await store.list()).map(({ digest }) => digest));
    const found = needs.map(({ kind, declaredIn, packages, digest }) => ({
      ...{ kind, declaredIn, packages },
      prepared: stored.has(digest),
    }));
    return { needs: found, diagnostics };
  } catch (error) {
    const { message } = SkillError.from(error, `Reading what "${skill.name}" needs`);
    const hint = "Correct the file that locks the packages.";
    return {
      needs: [],
      diagnostics: [{ code: "environment.not-prepared", severity: "warning", message, hint }],
    };
  }
}
