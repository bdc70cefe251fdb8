import { SkillError } from "@skillwright/core";
import { type NamedSource, namedSources, type SkillSource } from "./named-sources.js";

/** The sources of a box with all its tenants, highest precedence first. */
export interface LivingSources {
  /** The same array until the sources change. */
  all(): readonly NamedSource[];
  /** @throws SkillError as `namedSources`, `CONFLICT` for a name in use, `INPUT_INVALID` for an unknown `before`. */
  add(source: NamedSource, before: string | undefined): void;
  remove(source: NamedSource): void;
  /** Calls the listener after each change. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

export function livingSources(given: readonly NamedSource[]): LivingSources {
  const listeners = new Set<() => void>();
  let current = given;

  function change(next: readonly NamedSource[]): void {
    current = next;
    for (const listener of [...listeners]) listener();
  }

  return {
    all: () => current,
    add(source, before) {
      if (current.some((known) => known.source === source.source)) throw taken(source.source);
      const at =
        before === undefined ? current.length : current.findIndex((known) => known.source === before);
      if (at < 0) throw unknown(before, current);
      change([...current.slice(0, at), source, ...current.slice(at)]);
    },
    remove: (source) => change(current.filter((known) => known !== source)),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** One source, checked like those that a box is created with. @throws SkillError as `namedSources`. */
export function namedSource(name: string, source: SkillSource): NamedSource {
  const [named] = namedSources({ [name]: source });
  if (!named) throw new SkillError("CONFIG_INVALID", "The skill source has no name.");
  return named;
}

function taken(name: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `There is already a skill source "${name}". Choose another name, or remove that source first.`,
    { details: { source: name } },
  );
}

function unknown(name: string | undefined, known: readonly NamedSource[]): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `There is no skill source "${name}" to place another one before. Choose ${known.map(({ source }) => `"${source}"`).join(", ")}.`,
  );
}
