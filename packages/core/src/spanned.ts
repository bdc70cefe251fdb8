import type { CatalogSnapshot } from "./catalog/skill-catalog.js";
import type { RecordPage } from "./record/record-store.js";
import type { SkillListing } from "./repository/skill-repository.js";
import type { Skill } from "./skill/skill.js";
import { type SpanAttributes, type SpanName, withDuration, withSpan } from "./span.js";

/** Span attributes of a finished call's result: names of skills and counts, never content. */
type Told = (result: never) => SpanAttributes;

const skill = ({ name, manifest }: Skill) => ({ skill: name, files: manifest.files.length });
const listed = ({ skills, broken }: SkillListing | CatalogSnapshot) => ({
  skills: skills.length,
  broken: broken.length,
});
const listedRecords = ({ records }: RecordPage) => ({ records: records.length });
const counted = (what: string) => (all: readonly unknown[]) => ({ [what]: all.length });
const untold = (...names: string[]) => Object.fromEntries(names.map((name) => [name, () => ({})]));

const METHODS = {
  repository: {
    ...untold("find", "open", "reader", "refresh", "delete", "deleted", "purge", "versions", "watch"),
    ...untold("labels", "setLabel", "removeLabel"),
    ...{ list: listed, load: skill, upload: skill, restore: skill },
  },
  catalog: {
    ...untold("open", "reader", "refresh", "delete", "versions"),
    ...{ snapshot: listed, load: skill, upload: skill, restore: skill, search: counted("hits") },
  },
  runtime: {
    ...untold("capabilities", "create", "attach", "destroy", "repair"),
    list: counted("workspaces"),
  },
  "runtime.workspace": untold("stage", "unstage", "start", "runOf", "pause", "resume"),
  index: untold("read", "write", "subscribe"),
  records: { ...untold("get", "write", "delete"), list: listedRecords },
} satisfies Record<string, Record<string, Told>>;

/** Methods that agents call for each event of a turn. A trace would consist mostly of their spans, so they are only measured. */
const WITHOUT_SPAN: Readonly<Record<string, readonly string[]>> = { records: ["append", "read"] };

/**
 * Returns the same object with each method that the port names wrapped in a span, as by `withSpan`: `repository.list`,
 * `catalog.load`, `runtime.create`, ... The span of `open` ends when the stream is available, not when it was read; that of `start`
 * when the process has started. Methods called once per file, such as `put` and `get` of a workspace, have none. `append` and `read`
 * of records, which are called once per event, are measured without a span.
 * Factories apply it to a new instance.
 */
export function spanned<Target extends object>(
  kind: keyof typeof METHODS,
  target: Target,
  attributes: SpanAttributes = {},
): Target {
  const members = target as Record<string, unknown>;
  const wrap = (name: string, around: (name: SpanName, call: () => Promise<unknown>) => Promise<unknown>) => {
    const method = members[name];
    if (typeof method !== "function") return;
    members[name] = (...given: unknown[]) => around(`${kind}.${name}` as SpanName, () => method(...given));
  };
  for (const [method, told] of Object.entries<Told>(METHODS[kind]))
    wrap(method, (name, call) =>
      withSpan(name, attributes, async (set) => {
        const result = await call();
        set(told(result as never));
        return result;
      }),
    );
  for (const method of WITHOUT_SPAN[kind] ?? [])
    wrap(method, (name, call) => withDuration(name, attributes, call));
  return target;
}
