import {
  type Diagnostic,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
  type SkillReader,
} from "@skillwright/core";
import { lazyReader } from "@skillwright/core/adapter";
import { localHost } from "@skillwright/skillbox";
import {
  type EnvironmentNeed,
  type EnvironmentStore,
  type NamedNeed,
  skillEnvironmentNeeds,
} from "@skillwright/workspace";

/** What a skill needs, and whether it is there. */
export interface SkillNeeds {
  /** Packages that a file of the skill locks. */
  readonly packages: readonly NeededPackages[];
  /** Files whose packages cannot be prepared. */
  readonly unprepared: readonly UnpreparedFile[];
  /** What SKILL.md names without locking it. */
  readonly named: readonly NamedProgram[];
}

export interface NeededPackages extends Pick<EnvironmentNeed, "kind" | "declaredIn" | "packages"> {
  /** True where they are prepared on this machine. */
  readonly prepared: boolean;
}

export interface UnpreparedFile {
  /** Missing where no file can be named. */
  readonly path?: string | undefined;
  readonly why: string;
  readonly remedy: string;
}

export interface NamedProgram extends NamedNeed {
  /** True where this machine has its programs; missing where the skill does not say which those are. */
  readonly present?: boolean;
}

/** Where prepared packages and programs are looked up. */
export interface NeedsPlace {
  /** Called only for a skill that locks packages. */
  readonly store: () => Promise<EnvironmentStore>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a skill of a catalogue needs, without running anything. */
export async function catalogNeeds(
  skill: Skill & SkillOrigin,
  catalog: SkillCatalog,
  place: NeedsPlace,
): Promise<SkillNeeds & { readonly diagnostics: readonly Diagnostic[] }> {
  const open = lazyReader(
    () => catalog.reader?.(skill.name),
    (path) => catalog.open(skill.name, path),
  );
  return await skillNeeds(skill, open, place);
}

/** The same for files from anywhere. A file that cannot be read is among the unprepared ones. */
export async function skillNeeds(
  skill: Pick<Skill, "name" | "manifest" | "frontmatter">,
  open: SkillReader,
  { store, env }: NeedsPlace,
): Promise<SkillNeeds & { readonly diagnostics: readonly Diagnostic[] }> {
  try {
    const { needs, diagnostics, named } = await skillEnvironmentNeeds(skill, open);
    const list = needs.length === 0 ? [] : await (await store()).list();
    const stored = new Set(list.map(({ digest }) => digest));
    const packages = needs.map(({ kind, declaredIn, packages, digest }) => ({
      ...{ kind, declaredIn, packages },
      prepared: stored.has(digest),
    }));
    return { packages, unprepared: unprepared(diagnostics), named: await lookedUp(named, env), diagnostics };
  } catch (error) {
    const { message } = SkillError.from(error, `Reading what "${skill.name}" needs`);
    const hint = "Correct the file that locks the packages.";
    const diagnostics = [{ code: "environment.not-prepared", severity: "warning", message, hint } as const];
    return { packages: [], unprepared: unprepared(diagnostics), named: [], diagnostics };
  }
}

function unprepared(diagnostics: readonly Diagnostic[]): readonly UnpreparedFile[] {
  return diagnostics
    .filter(({ code }) => code === "environment.not-prepared")
    .map(({ path, message, hint }) => ({ ...(path !== undefined && { path }), why: message, remedy: hint }));
}

async function lookedUp(
  named: readonly NamedNeed[],
  env: NeedsPlace["env"],
): Promise<readonly NamedProgram[]> {
  if (named.length === 0) return [];
  const { hasProgram } = await localHost({ env }).look(named.flatMap(({ programs }) => programs));
  return named.map((one) =>
    one.programs.length === 0
      ? one
      : { ...one, present: one.programs.every((name) => hasProgram(name) === true) },
  );
}
