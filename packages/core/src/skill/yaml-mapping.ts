import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from "js-yaml";
import type { JsonValue } from "../json-value.js";
import { plainValue } from "./plain-value.js";
import { readPlainYaml } from "./plain-yaml.js";

/** One `key: value` of the outermost mapping. Lines and columns count from 1, within the source that was read. */
export interface YamlEntry {
  readonly key: string;
  readonly value: JsonValue;
  /** A scalar as it was written (`0123` stays `0123`), for fields that are text whatever YAML makes of them. */
  readonly text: string | undefined;
  /** The scalars of a map as they were written, by key. */
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
  /** `duplicate` names a key that stands twice; its last value counts. */
  | { readonly kind: "mapping"; readonly entries: readonly YamlEntry[]; readonly duplicate?: YamlProblem }
  | { readonly kind: "empty" | "not-mapping" | "too-large" }
  | ({ readonly kind: "invalid" } & YamlProblem);

/** Reads YAML that should be one mapping. Never throws; an unknown tag, a second document or 100 levels are `invalid`. */
export function readYamlMapping(source: string): YamlReading {
  const entries = readPlainYaml(source);
  return entries ? { kind: "mapping", entries } : readAnyYaml(source);
}

/** The same for every YAML there is, in several times the time. */
export function readAnyYaml(source: string): YamlReading {
  try {
    const events = parseEvents(source, {});
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
    return { documents: constructFromEvents(events, { source }) };
  } catch (error) {
    const duplicate = problemOf(error);
    if (!duplicate.reason.includes("duplicated mapping key")) throw error;
    return { documents: constructFromEvents(events, { source, json: true }), duplicate };
  }
}

function problemOf(error: unknown): YamlProblem {
  if (!(error instanceof YAMLException)) return { reason: String(error), line: undefined, column: undefined };
  const { mark, reason } = error;
  return { reason, line: mark && mark.line + 1, column: mark && mark.column + 1 };
}

/** Walks the outermost mapping's keys and values; events say where each stands, which the built values no longer do. */
function topEntries(
  source: string,
  events: readonly Event[],
  fields: Readonly<Record<string, JsonValue>>,
): YamlEntry[] {
  const entries = new Map<string, YamlEntry>();
  const position = positions(source);
  const first = events.findIndex((event) => event.type === EVENT_ID.MAPPING) + 1;
  for (let index = first; events[index] && events[index]?.type !== EVENT_ID.POP; ) {
    const at = index;
    const key = events[at];
    const written = events[at + 1];
    index = afterNode(events, afterNode(events, at));
    if (key?.type !== EVENT_ID.SCALAR) continue;
    const name = getScalarValue(source, key);
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name] ?? null;
    const text = written?.type === EVENT_ID.SCALAR ? getScalarValue(source, written) : textOf(value);
    const texts = written?.type === EVENT_ID.MAPPING && scalarTexts(source, events, at + 2);
    entries.set(name, { key: name, value, text, ...(texts && { texts }), ...position(key.valueStart) });
  }
  return [...entries.values()];
}

function afterNode(events: readonly Event[], start: number): number {
  let depth = 0;
  for (let index = start; index < events.length; index++) {
    const type = events[index]?.type;
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth++;
    else if (type === EVENT_ID.POP) depth--;
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
  for (let index = first; events[index] && events[index]?.type !== EVENT_ID.POP; ) {
    const key = events[index];
    const written = events[index + 1];
    index = afterNode(events, afterNode(events, index));
    if (key?.type === EVENT_ID.SCALAR && written?.type === EVENT_ID.SCALAR)
      texts.push([getScalarValue(source, key), getScalarValue(source, written)]);
  }
  return Object.fromEntries(texts);
}

/** For an alias, whose text stands elsewhere. */
function textOf(value: JsonValue): string | undefined {
  return typeof value === "object" ? undefined : String(value);
}

/** Positions of rising offsets, so that many keys cost one walk through the source. */
function positions(source: string): (offset: number) => { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  return (offset) => {
    for (let end = source.indexOf("\n", lineStart); end >= 0 && end < offset; ) {
      line++;
      lineStart = end + 1;
      end = source.indexOf("\n", lineStart);
    }
    return { line, column: offset - lineStart + 1 };
  };
}
