import { type LockedSkill, lockSkill, type SourceClients } from "@skillwright/config";
import { type Diagnostic, SkillError } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { openLockedSource, sourceForLock } from "./locked-source.js";
import type { ProjectLock } from "./project-lock.js";

export interface LockedSource {
  /** As it stands in the lock file. */
  readonly source: string;
  readonly entries: readonly (readonly [string, LockedSkill])[];
  /** Broken skills and whatever else the listing tells. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What the lock file will say of a source's skills as they are now: of all that can be used, or of those named.
 * @throws SkillError `SKILL_NOT_FOUND` for a name that is not there; `SKILL_INVALID` for a named one that is broken.
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
    throw new SkillError("SKILL_NOT_FOUND", `There is no skill in ${repository.label} that can be used.`);
  const entries: [string, LockedSkill][] = [];
  for (const name of names ?? found)
    entries.push([name, await lockSkill(name, source, repository, { signal })]);
  return {
    source,
    entries,
    diagnostics: [...diagnostics, ...broken.flatMap((one) => one.diagnostics)],
  };
}
