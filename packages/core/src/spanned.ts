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
  runtime: {
    ...{ capabilities: nothing, create: nothing, attach: nothing, destroy: nothing, repair: nothing },
    list: (ids: readonly string[]) => ({ workspaces: ids.length }),
  },
  "runtime.workspace": { stage: nothing, unstage: nothing, start: nothing, pause: nothing, resume: nothing },
  index: { read: nothing, write: nothing, subscribe: nothing },
  sessions: { get: nothing, update: nothing, delete: nothing, list: nothing },
  registry: {
    ...{ put: nothing, get: nothing, findByOwner: nothing, touch: nothing, remove: nothing },
    ...{ list: nothing, lease: nothing },
  },
} satisfies Record<string, Record<string, Told>>;

/**
 * Returns the same object with each method that the port names wrapped in a span, as by `withSpan`: `repository.list`,
 * `catalog.load`, `runtime.create`, ... The span of `open` ends when the stream is available, not when it was read; that of `start`
 * when the process has started. Methods called once per file, such as `put` and `get` of a workspace, have none.
 * Factories apply it to a new instance.
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
