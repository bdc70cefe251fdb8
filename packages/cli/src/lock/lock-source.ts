import { type LockedSkill, lockSkill, type SourceClients } from "@skillwright/config";
import { type BrokenSkill, type Diagnostic, SkillError } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { openLockedSource, sourceForLock } from "./locked-source.js";
import type { ProjectLock } from "./project-lock.js";

export interface LockedSource {
  /** Source text as written in the lock file. */
  readonly source: string;
  readonly entries: readonly (readonly [string, LockedSkill])[];
  /** Broken skills and the listing's other diagnostics. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The lock file entries for a source's current skills: for all usable ones, or for those named.
 * @throws SkillError `SKILL_NOT_FOUND` for a missing name; `SKILL_INVALID` for a named skill that is broken.
 */
export async function lockSource(
  text: string,
  names: readonly string[] | undefined,
  { lock, clients, context }: { lock: ProjectLock; clients: SourceClients; context: CliContext },
): Promise<LockedSource> {
  const { cwd, signal } = context;
  const source = sourceForLock(text, cwd, lock.directory);
  await using repository = await openLockedSource({ source }, lock.directory, clients);
  const { skills, broken, diagnostics } = await repository.list({ signal });
  const found = [...new Set(skills.map(({ name }) => name))];
  if (found.length === 0 && !names)
    throw new SkillError("SKILL_NOT_FOUND", `${repository.label} has no usable skill.`);
  const entries: [string, LockedSkill][] = [];
  for (const name of names ?? found)
    entries.push([name, await lockSkill(name, source, repository, { signal })]);
  return {
    source,
    entries,
    diagnostics: [...diagnostics, ...broken.flatMap(namingSkill)],
  };
}

function namingSkill({ path, diagnostics }: BrokenSkill): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, message: `${path}: ${diagnostic.message}` }));
}
