import type { BrokenSkill, Diagnostic } from "@skillwright/core";
import { contentKey, type SkillSource } from "../payload/skill-source.js";
import type { Validators } from "../transfer/validators.js";
import type { SourceContent } from "./kept-contents.js";
import { type PartOptions, type SkillPart, skillPart } from "./skill-part.js";

/** The content of a URL at one moment. */
export interface Catalogue {
  readonly sources: readonly SkillSource[];
  readonly broken: readonly BrokenSkill[];
  readonly diagnostics: readonly Diagnostic[];
  readonly validators: Validators | undefined;
  /** Content of the only source, where the URL itself is the skill. */
  readonly initial?: SourceContent | undefined;
}

/** A catalogue with its parts. */
export interface SkillCollection {
  readonly catalogue: Catalogue;
  /** Parts by path, sorted. */
  readonly parts: ReadonlyMap<string, SkillPart>;
}

/** Parts whose files cannot have changed are reused from the previous collection. */
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
