import type { CatalogSnapshot, SearchHit } from "./catalog/skill-catalog.js";
import type { SkillListing } from "./repository/skill-repository.js";
import type { Skill } from "./skill/skill.js";
import { type SpanAttributes, type SpanName, withSpan } from "./span.js";

/** Span attributes of a finished call's result: names of skills and counts, never content. */
type Told = (result: never) => SpanAttributes;

const skill = ({ name, manifest }: Skill) => ({ skill: name, files: manifest.files.length });
const listed = ({ skills, broken }: SkillListing | CatalogSnapshot) => ({
  skills: skills.length,
  broken: broken.length,
});
const nothing = () => ({});

const METHODS = {
  repository: { list: listed, find: nothing, load: skill, open: nothing, upload: skill, delete: nothing },
  catalog: {
    ...{ snapshot: listed, load: skill, open: nothing, upload: skill, delete: nothing },
    search: (hits: readonly SearchHit[]) => ({ hits: hits.length }),
  },
} satisfies Record<string, Record<string, Told>>;

/**
 * Returns the same object with each of its repository or catalogue methods wrapped in a span, as by `withSpan`:
 * `repository.list`, `catalog.load`, ... The span of `open` ends when the stream is available, not when it was read.
 * Factories of repositories and catalogues apply it to a new instance.
 */
export function spanned<Target extends object>(
  kind: keyof typeof METHODS,
  target: Target,
  attributes: SpanAttributes = {},
): Target {
  const members = target as Record<string, unknown>;
  for (const [name, told] of Object.entries<Told>(METHODS[kind])) {
    const method = members[name];
    if (typeof method !== "function") continue;
    members[name] = (...given: unknown[]) =>
      withSpan(`${kind}.${name}` as SpanName, attributes, async (set) => {
        const result: unknown = await method(...given);
        set(told(result as never));
        return result;
      });
  }
  return target;
}
