import { type InstallResult, type LockedSkill, lockSkill } from "@skillwright/config";
import { type CallOptions, isSkillName, SkillError, type SkillRepository } from "@skillwright/core";
import { checkAborted, shownLine } from "@skillwright/core/adapter";

/** A skill that could not be locked, and why. */
export type NotLocked = Required<Pick<InstallResult, "name" | "error">>;

/** Locks the named skills of a source. A skill that cannot be locked does not stop the others. @throws SkillError `ABORTED`. */
export async function lockEach(
  names: readonly string[],
  source: string,
  repository: SkillRepository,
  { signal }: CallOptions,
): Promise<{
  readonly entries: readonly (readonly [string, LockedSkill])[];
  readonly failed: readonly NotLocked[];
}> {
  const entries: [string, LockedSkill][] = [];
  const failed: NotLocked[] = [];
  for (const name of names)
    try {
      checkName(name);
      entries.push([name, await lockSkill(name, source, repository, { signal })]);
    } catch (error) {
      checkAborted(signal);
      failed.push({ name, error: SkillError.from(error, `Locking "${shownLine(name)}"`) });
    }
  return { entries, failed };
}

/** A folder may contain skills with other names, but a lock file that has one cannot be read. */
function checkName(name: string): void {
  if (isSkillName(name)) return;
  throw new SkillError(
    "INPUT_INVALID",
    `The name "${shownLine(name.slice(0, 80))}" cannot be in a lock file: a skill's name has lower-case letters, digits and single hyphens. Rename the skill.`,
    { details: { skill: name.slice(0, 80) } },
  );
}
