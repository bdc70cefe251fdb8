import type { Event } from "js-yaml";
import { yaml } from "#yaml";
import type { JsonValue } from "../json-value.js";

/** One `key: value` of the outermost mapping. Lines and columns count from 1, within the source. */
export interface YamlEntry {
  /** The key as written: `1.0`, `True` and `~` are not converted to YAML's `1`, `true` and `null`. */
  readonly key: string;
  readonly value: JsonValue;
  /** A scalar as written (`0123` stays `0123`), for fields that are text whatever type YAML assigns. */
  readonly text: string | undefined;
  /** For a map: its scalars as written, by key. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly line: number;
  readonly column: number;
}

export interface YamlProblem {
  readonly reason: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

export type YamlReading =
  /** `duplicate` names a key that occurs twice; its last value counts. */
  | { readonly kind: "mapping"; readonly entries: readonly YamlEntry[]; readonly duplicate?: YamlProblem }
  | { readonly kind: "empty" | "not-mapping" | "too-large" }
  | ({ readonly kind: "invalid" } & YamlProblem);

/**
 * Parses YAML that should be one mapping. Never throws. An unknown tag, a second document or 100 levels are `invalid`.
 */
export function readYamlMapping(source: string): YamlReading {
  try {
    const events = yaml().parseEvents(source, {});
    const { documents, duplicate } = construct(source, events);
    if (documents.length > 1)
      return { kind: "invalid", reason: "a second document begins", line: undefined, column: undefined };
    const document = documents[0] ?? null;
    if (document === null) return { kind: "empty" };
    if (typeof document !== "object" || Array.isArray(document)) return { kind: "not-mapping" };
    const fields = plainValue(document);
    if (fields === undefined) return { kind: "too-large" };
    const entries = topEntries(source, events, fields as Readonly<Record<string, JsonValue>>);
    return { kind: "mapping", entries, ...(duplicate && { duplicate }) };
  } catch (error) {
    return { kind: "invalid", ...problemOf(error) };
  }
}

function construct(source: string, events: Event[]): { documents: unknown[]; duplicate?: YamlProblem } {
  try {
    return { documents: yaml().constructFromEvents(events, { source }) };
  } catch (error) {
    const duplicate = problemOf(error);
    if (!duplicate.reason.includes("duplicated mapping key")) throw error;
    return { documents: yaml().constructFromEvents(events, { source, json: true }), duplicate };
  }
}

function problemOf(error: unknown): YamlProblem {
  if (!(error instanceof yaml().YAMLException))
    return { reason: String(error), line: undefined, column: undefined };
  const { mark, reason } = error;
  return { reason, line: mark && mark.line + 1, column: mark && mark.column + 1 };
}

/**
 * Walks the keys and values of the outermost mapping. The parser events carry positions, which the built values do not.
 */
function topEntries(
  source: string,
  events: readonly Event[],
  fields: Readonly<Record<string, JsonValue>>,
): YamlEntry[] {
  const entries = new Map<string, YamlEntry>();
  const left = new Set(Object.keys(fields));
  const position = positions(source);
  const first = events.findIndex((event) => event.type === yaml().EVENT_ID.MAPPING) + 1;
  for (let index = first; events[index] && events[index]?.type !== yaml().EVENT_ID.POP; ) {
    const at = index;
    const key = events[at];
    const written = events[at + 1];
    index = afterNode(events, afterNode(events, at));
    if (key?.type !== yaml().EVENT_ID.SCALAR) continue;
    const text = yaml().getScalarValue(source, key);
    const built = builtKey(text, key);
    const name = Object.hasOwn(fields, text) ? built : text;
    if (!left.delete(built) && !entries.has(name)) continue;
    const value = fields[built] ?? null;
    const valueText =
      written?.type === yaml().EVENT_ID.SCALAR ? yaml().getScalarValue(source, written) : textOf(value);
    const texts = written?.type === yaml().EVENT_ID.MAPPING && scalarTexts(source, events, at + 2);
    entries.set(name, {
      key: name,
      value,
      text: valueText,
      ...(texts && { texts }),
      ...position(placeOf(key, written)),
    });
  }
  // For example a key that is an alias.
  for (const name of left)
    if (!entries.has(name))
      entries.set(name, { key: name, value: fields[name] ?? null, text: undefined, line: 1, column: 1 });
  return [...entries.values()];
}

/** An empty key has no position; its value may have one. */
function placeOf(key: Event, value: Event | undefined): number {
  const [own, next] = [key, value].map((event) =>
    event?.type === yaml().EVENT_ID.SCALAR ? event.valueStart : -1,
  );
  return Math.max(own === -1 ? (next ?? 0) : (own ?? 0), 0);
}

/** The key that YAML builds from the written one: `1` from `1.0`, `null` from `~`. */
function builtKey(name: string, event: Event): string {
  const isPlain =
    event.type === yaml().EVENT_ID.SCALAR && event.style === yaml().SCALAR_STYLE.PLAIN && event.tagStart < 0;
  return isPlain && MAYBE_NO_TEXT.test(name) ? String(yaml().load(name || "~")) : name;
}

const MAYBE_NO_TEXT = /^(?:[-+.0-9]|~?$|null$|true$|false$)/i;

function afterNode(events: readonly Event[], start: number): number {
  let depth = 0;
  for (let index = start; index < events.length; index++) {
    const type = events[index]?.type;
    if (type === yaml().EVENT_ID.MAPPING || type === yaml().EVENT_ID.SEQUENCE) depth++;
    else if (type === yaml().EVENT_ID.POP) depth--;
    if (depth === 0) return index + 1;
  }
  return events.length;
}

function scalarTexts(
  source: string,
  events: readonly Event[],
  first: number,
): Readonly<Record<string, string>> {
  const texts: [key: string, text: string][] = [];
  for (let index = first; events[index] && events[index]?.type !== yaml().EVENT_ID.POP; ) {
    const key = events[index];
    const written = events[index + 1];
    index = afterNode(events, afterNode(events, index));
    if (key?.type === yaml().EVENT_ID.SCALAR && written?.type === yaml().EVENT_ID.SCALAR)
      texts.push([yaml().getScalarValue(source, key), yaml().getScalarValue(source, written)]);
  }
  return Object.fromEntries(texts);
}

/** For an alias, whose text is elsewhere in the source. */
function textOf(value: JsonValue): string | undefined {
  return typeof value === "object" ? undefined : String(value);
}

/** Converts increasing offsets to positions, so that many keys need one pass over the source. */
function positions(source: string): (offset: number) => { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  return (offset) => {
    for (let end = source.indexOf("\n", lineStart); end >= 0 && end < offset; ) {
      line++;
      lineStart = end + 1;
      end = source.indexOf("\n", lineStart);
    }
    return { line, column: Math.max(0, offset - lineStart) + 1 };
  };
}

/** Counted after aliases are expanded. The largest real header has a few hundred. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 150;

/**
 * Returns a JSON copy that shares nothing, with aliases expanded. Keys such as `__proto__` become ordinary own
 * properties. `undefined` for more than 20,000 values or 150 levels, which an alias bomb produces.
 */
function plainValue(value: unknown): JsonValue | undefined {
  let nodes = 0;
  try {
    return copy(value, 0);
  } catch (error) {
    if (error === TOO_LARGE) return undefined;
    throw error;
  }

  function copy(from: unknown, depth: number): JsonValue {
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) throw TOO_LARGE;
    if (typeof from !== "object" || from === null)
      return typeof from === "number" && !Number.isFinite(from) ? String(from) : (from as JsonValue);
    if (Array.isArray(from)) return from.map((item) => copy(item, depth + 1));
    return Object.fromEntries(Object.entries(from).map(([key, item]) => [key, copy(item, depth + 1)]));
  }
}

const TOO_LARGE = new Error("The value is larger than a header may be.");
