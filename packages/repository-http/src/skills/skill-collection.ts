import type { BrokenSkill, Diagnostic } from "@skillwright/core";
import { contentKey, type SkillSource } from "../payload/skill-source.js";
import type { Validators } from "../transfer/validators.js";
import type { SourceContent } from "./kept-contents.js";
import { type PartOptions, type SkillPart, skillPart } from "./skill-part.js";

/** What an address gave, as of one moment. */
export interface Catalogue {
  readonly sources: readonly SkillSource[];
  readonly broken: readonly BrokenSkill[];
  readonly diagnostics: readonly Diagnostic[];
  readonly validators: Validators | undefined;
  /** Of the only source, where the address gave the skill itself. */
  readonly initial?: SourceContent | undefined;
}

/** A catalogue with its parts. */
export interface SkillCollection {
  readonly catalogue: Catalogue;
  /** By path, sorted. */
  readonly parts: ReadonlyMap<string, SkillPart>;
}

/** Parts whose files cannot have changed are taken over from the collection before. */
export function skillCollection(
  catalogue: Catalogue,
  previous: SkillCollection | undefined,
  options: Pick<PartOptions, "fetching" | "contents">,
): SkillCollection {
  const sources = [...catalogue.sources].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sources.map((source): [string, SkillPart] => {
    const before = previous?.parts.get(source.path);
    if (before && isSame(before, source)) return [source.path, before];
    const { initial } = catalogue;
    return [source.path, skillPart(source, { ...options, before: before?.settled(), initial })];
  });
  return { catalogue, parts: new Map(parts) };
}

function isSame(before: SkillPart, source: SkillSource): boolean {
  const key = contentKey(source);
  return key !== undefined && before.isSound() && contentKey(before.source) === key;
}
