import type { JsonValue } from "../json-value.js";
import { plainFlow } from "./plain-yaml-flow.js";
import { type PlainValue, plainScalar, plainText } from "./plain-yaml-scalar.js";

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

/** Real headers are much shorter. */
const MAX_CHARACTERS = 8192;
const MAX_DEPTH = 8;
/** Tabs, control characters, line ends other than LF, lone surrogates: these need the full parser. */
const OTHER_CHARACTER =
  /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10fffd}]/u;
const KEY = /^([A-Za-z][A-Za-z0-9_.-]*):(?: +|$)/;
/** Keys that are not text in some version of YAML. */
const OTHER_KEY = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Parses a header in the simple form that nearly all headers have; `undefined` where a full YAML parser is needed. */
export function readPlainYaml(source: string): readonly YamlEntry[] | undefined {
  if (source.length > MAX_CHARACTERS || OTHER_CHARACTER.test(source)) return undefined;
  const lines = contentLines(source);
  if (lines.length === 0) return undefined;
  try {
    const reader = { lines, hasComments: /^ *#/m.test(source), next: 0 };
    const entries = mapping(reader, 0, 0);
    return reader.next === lines.length ? entries : undefined;
  } catch (error) {
    if (error === NOT_PLAIN) return undefined;
    throw error;
  }
}

const NOT_PLAIN = new Error("The whole of YAML is needed.");

interface Line {
  /** Counted from 1, within the source. */
  readonly number: number;
  readonly indent: number;
  /** Without surrounding spaces. */
  readonly text: string;
  /** True where trailing spaces were removed. */
  readonly isTrimmed: boolean;
}

interface Reader {
  readonly lines: readonly Line[];
  readonly hasComments: boolean;
  next: number;
}

/** The lines without blank ones and comments. */
function contentLines(source: string): Line[] {
  const lines: Line[] = [];
  let number = 0;
  for (const line of source.split("\n")) {
    number++;
    let indent = 0;
    let end = line.length;
    while (line.charCodeAt(indent) === SPACE) indent++;
    while (end > indent && line.charCodeAt(end - 1) === SPACE) end--;
    if (indent < end && line.charCodeAt(indent) !== HASH)
      lines.push({ number, indent, text: line.slice(indent, end), isTrimmed: end < line.length });
  }
  return lines;
}

const SPACE = 32;
const HASH = 35;

function mapping(reader: Reader, indent: number, depth: number): YamlEntry[] {
  const entries: YamlEntry[] = [];
  const keys = new Set<string>();
  for (let line = lineAt(reader, indent); line; line = lineAt(reader, indent)) {
    const match = KEY.exec(line.text);
    const key = match?.[1];
    if (!match || key === undefined || keys.has(key) || OTHER_KEY.test(key)) throw NOT_PLAIN;
    keys.add(key);
    reader.next++;
    const written = line.text.slice(match[0].length);
    const value = written === "" ? below(reader, line, depth) : scalar(reader, line, written);
    entries.push({ key, line: line.number, column: indent + 1, ...value });
  }
  return entries;
}

/** Returns the next line if it belongs to this mapping or list. A line that is indented further is not plain YAML. */
function lineAt({ lines, next }: Reader, indent: number): Line | undefined {
  const line = lines[next];
  if (line && line.indent > indent) throw NOT_PLAIN;
  return line?.indent === indent ? line : undefined;
}

/** Reads the text after the key and the lines that continue it. */
function scalar(reader: Reader, key: Line, written: string): PlainValue {
  const more = linesFurtherIn(reader, key);
  const block = /^([|>])(-?)$/.exec(written);
  if (block) return blockText(reader, more, block[1] === ">" ? " " : "\n", block[2] ? "" : "\n");
  return goingOn(written, more);
}

function goingOn(written: string, more: readonly Line[]): PlainValue {
  const read = more.length === 0 ? plainLine(written) : plainText([written, ...more.map(({ text }) => text)]);
  if (!read) throw NOT_PLAIN;
  return read;
}

function plainLine(written: string): PlainValue | undefined {
  return written[0] === "[" || written[0] === "{" ? plainFlow(written) : plainScalar(written);
}

/** Contiguous lines only: a blank line between them has a meaning, and a comment ends the text. */
function linesFurtherIn(reader: Reader, after: Line): Line[] {
  const lines: Line[] = [];
  for (
    let line = reader.lines[reader.next];
    line && line.indent > after.indent;
    line = reader.lines[reader.next]
  ) {
    if (line.number !== after.number + lines.length + 1) throw NOT_PLAIN;
    lines.push(line);
    reader.next++;
  }
  return lines;
}

/** All lines have the same indentation; a line that looks like a comment would be part of the text. */
function blockText(reader: Reader, lines: readonly Line[], between: string, end: string): PlainValue {
  const [first] = lines;
  if (!first || reader.hasComments) throw NOT_PLAIN;
  if (lines.some(({ indent, isTrimmed }) => indent !== first.indent || isTrimmed)) throw NOT_PLAIN;
  const text = lines.map((line) => line.text).join(between) + end;
  return { value: text, text };
}

/** Reads the indented lines below a key. A list may also have the key's own indentation. */
function below(reader: Reader, key: Line, depth: number): PlainValue {
  const line = reader.lines[reader.next];
  if (!line || line.indent < key.indent) return NOTHING;
  const isList = isItem(line);
  if (line.indent === key.indent && !isList) return NOTHING;
  if (depth === MAX_DEPTH) throw NOT_PLAIN;
  if (isList) return { value: list(reader, line.indent), text: undefined };
  if (!KEY.test(line.text)) return goingOn("", linesFurtherIn(reader, key));
  const entries = mapping(reader, line.indent, depth + 1);
  const texts = entries.flatMap(({ key, text }) => (text === undefined ? [] : [[key, text] as const]));
  return {
    value: Object.fromEntries(entries.map(({ key, value }) => [key, value])),
    text: undefined,
    texts: Object.fromEntries(texts),
  };
}

const NOTHING: PlainValue = { value: null, text: "" };

function isItem({ text }: Line): boolean {
  return text.startsWith("- ");
}

/** A list of scalars. */
function list(reader: Reader, indent: number): JsonValue[] {
  const values: JsonValue[] = [];
  for (let line = lineAt(reader, indent); line && isItem(line); line = lineAt(reader, indent)) {
    reader.next++;
    const written = line.text.slice(2);
    if (written.startsWith(" ") || KEY.test(written)) throw NOT_PLAIN;
    values.push(goingOn(written, []).value);
  }
  return values;
}
