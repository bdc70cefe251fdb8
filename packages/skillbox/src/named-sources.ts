import { SkillError, type SkillOrigin, type SkillRepository } from "@skillwright/core";

/** A trusted repository; or a repository with a statement about its trust. */
export type SkillSource =
  | SkillRepository
  | {
      readonly repository: SkillRepository;
      /** Defaults to true. Skills of an untrusted source need approval before they run and never hide a trusted one. */
      readonly trusted?: boolean;
      /**
       * Defaults to true. With false, no skill of the source hides one of a source without this setting, whatever the order and the
       * trust: for a source whose names somebody else decides, such as a server.
       */
      readonly hidesOthers?: boolean | undefined;
      /**
       * The tenant that owns the source and alone sees it; see `SkillBox.forTenant`. Defaults to shared by all tenants.
       */
      readonly tenant?: string | undefined;
      /**
       * Whether `search` includes bodies: the first search then reads every SKILL.md once. Defaults to true; set it to
       * false for a source where opening a file is expensive.
       */
      readonly searchBodies?: boolean | undefined;
    };

export interface NamedSource extends SkillOrigin {
  readonly repository: SkillRepository;
  readonly tenant?: string;
  readonly searchBodies: boolean;
  readonly hidesOthers: boolean;
}

/**
 * The sources in the order of their keys, highest precedence first.
 * @throws SkillError `CONFIG_INVALID` for a name that is a whole number (JavaScript would move it to the front), is
 * empty, longer than 64 characters or contains control characters, and for a value that is not a repository.
 */
export function namedSources(sources: Readonly<Record<string, SkillSource>>): readonly NamedSource[] {
  return Object.entries(sources).map(([source, given]) => {
    checkName(source);
    const entry = "repository" in Object(given) ? (given as Entry) : bare(given);
    const { repository, trusted = true, tenant, searchBodies = true, hidesOthers = true } = entry;
    if (typeof repository?.list !== "function" || typeof repository.load !== "function")
      throw invalid(
        source,
        "is not a skill repository",
        "Give a repository or `{ repository, trusted, tenant }`",
      );
    return {
      source,
      trusted,
      repository,
      searchBodies,
      hidesOthers,
      ...(tenant !== undefined && { tenant }),
    };
  });
}

/** Untrusted sources come after trusted ones, and those that hide no others come last, whatever the order. */
export function strongestFirst<T>(all: readonly T[], from: (one: T) => NamedSource): readonly T[] {
  return [...all].sort((a, b) => weakness(from(a)) - weakness(from(b)));
}

function weakness({ trusted, hidesOthers }: NamedSource): number {
  return (hidesOthers ? 0 : 2) + (trusted ? 0 : 1);
}

type Entry = Exclude<SkillSource, SkillRepository>;

function bare(given: SkillSource): Entry {
  return { repository: given as SkillRepository };
}

function checkName(source: string): void {
  if (/^\d+$/.test(source))
    throw invalid(
      source,
      "has a number as its name, so its position in the order would be lost",
      "Use a word",
    );
  if (!/^[^\p{Cc}]{1,64}$/u.test(source) || source.trim() !== source)
    throw invalid(
      source,
      "has an unusable name",
      "Use 1 to 64 printable characters, without spaces at the ends",
    );
}

function invalid(source: string, what: string, remedy: string): SkillError {
  const shown = JSON.stringify(source.slice(0, 80));
  return new SkillError("CONFIG_INVALID", `The skill source ${shown} ${what}. ${remedy}.`, {
    details: { source: source.slice(0, 80) },
  });
}
