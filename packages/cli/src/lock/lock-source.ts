import type { LockedSkill, SourceClients } from "@skillwright/config";
import { type BrokenSkill, type Diagnostic, SkillError, type SkillSummary } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { hiddenFolder } from "./hidden-folder.js";
import { lockEach, type NotLocked } from "./lock-each.js";
import { openLockedSource, sourceForLock } from "./locked-source.js";
import type { ProjectLock } from "./project-lock.js";

export interface LockedSource {
  /** Source text as written in the lock file. */
  readonly source: string;
  readonly entries: readonly (readonly [string, LockedSkill])[];
  /** One for each chosen skill that has no entry, because another chosen one contains it. */
  readonly inside: readonly Diagnostic[];
  /** Broken skills and the listing's other diagnostics. */
  readonly diagnostics: readonly Diagnostic[];
  /** Usable skills that could not be locked. Empty if the caller named skills, because their errors are thrown. */
  readonly failed: readonly NotLocked[];
}

/**
 * The lock file entries for a source's current skills: for all usable ones, or for those named. A skill that is inside
 * of another one of these comes with it and has no entry, so that no file has two owners.
 * @throws SkillError `SKILL_NOT_FOUND` if a named skill is missing, `SKILL_INVALID` if it is broken, `INPUT_INVALID` if no lock file may hold its name.
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
  if (found.length === 0 && !names) {
    const hidden = await hiddenFolder(source, lock.directory, diagnostics);
    const remedy = hidden === undefined ? "" : ` There are skills in ${hidden.folder}. ${hidden.remedy}`;
    const [first] = broken.flatMap(namingSkill);
    const reason = first ? ` ${first.message} ${first.hint}` : "";
    throw new SkillError("SKILL_NOT_FOUND", `${repository.label} has no usable skill.${reason}${remedy}`);
  }
  const inside = insideOthers(skills, names ?? found);
  const wanted = (names ?? found).filter((name) => !inside.has(name));
  const { entries, failed } = await lockEach(wanted, source, repository, { signal });
  const [first] = failed;
  if (names && first) throw first.error;
  return {
    source,
    entries,
    failed,
    inside: [...inside].map(([name, outer]) => partOf(name, outer)),
    diagnostics: [...diagnostics, ...broken.flatMap(namingSkill)],
  };
}

/** Maps the name of each chosen skill that is inside of another chosen one to the name of the outer one. */
function insideOthers(
  skills: readonly SkillSummary[],
  chosen: readonly string[],
): ReadonlyMap<string, string> {
  const firsts = new Map(skills.toReversed().map((skill) => [skill.name, skill]));
  const found = chosen.flatMap((name) => firsts.get(name) ?? []);
  return new Map(
    found.flatMap(({ name, path }) => {
      const outer = found.find((other) => other.path !== path && isInside(path, other.path));
      return outer ? [[name, outer.name] as const] : [];
    }),
  );
}

function isInside(path: string, outer: string): boolean {
  return outer === "." || path.startsWith(`${outer}/`);
}

function partOf(name: string, outer: string): Diagnostic {
  return {
    code: "lock.inside",
    severity: "info",
    message: `"${name}" is part of the skill "${outer}", which contains it.`,
    hint: `Nothing needs to be done. To have it alone, give --skill ${name}, without "${outer}".`,
  };
}

function namingSkill({ path, diagnostics }: BrokenSkill): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, message: `${path}: ${diagnostic.message}` }));
}
