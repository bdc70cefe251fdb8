import type { JsonValue } from "../json-value.js";
import { plainFlow } from "./plain-yaml-flow.js";
import { type PlainValue, plainScalar, plainText } from "./plain-yaml-scalar.js";
import type { YamlEntry } from "./yaml-mapping.js";

/** Real headers are shorter by far. */
const MAX_CHARACTERS = 8192;
const MAX_DEPTH = 8;
/** Tabs, control characters, line ends other than LF, halves of characters: never plain. */
const OTHER_CHARACTER =
  /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10fffd}]/u;
const KEY = /^([A-Za-z][A-Za-z0-9_.-]*):(?: +|$)/;
/** Keys that YAML does not take for text, or that some of its versions do not. */
const OTHER_KEY = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** One that is written as nearly all are; `undefined` where the whole of YAML is needed to read it. */
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
  /** From 1, within the source. */
  readonly number: number;
  readonly indent: number;
  /** Without the spaces around it. */
  readonly text: string;
  /** Whether spaces were at its end. */
  readonly isTrimmed: boolean;
}

interface Reader {
  readonly lines: readonly Line[];
  readonly hasComments: boolean;
  next: number;
}

/** Without blank ones and comments. */
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

/** The next line where it belongs to the mapping or list; one further in belongs to nothing that is plain. */
function lineAt({ lines, next }: Reader, indent: number): Line | undefined {
  const line = lines[next];
  if (line && line.indent > indent) throw NOT_PLAIN;
  return line?.indent === indent ? line : undefined;
}

/** What stands beside the key, and the lines that go on with it. */
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

/** Without a gap: a blank line between them has a meaning, and a comment ends the text. */
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

/** All equally far in; a line that looks like a comment would belong to it. */
function blockText(reader: Reader, lines: readonly Line[], between: string, end: string): PlainValue {
  const [first] = lines;
  if (!first || reader.hasComments) throw NOT_PLAIN;
  if (lines.some(({ indent, isTrimmed }) => indent !== first.indent || isTrimmed)) throw NOT_PLAIN;
  const text = lines.map((line) => line.text).join(between) + end;
  return { value: text, text };
}

/** What is written below a key, further in; a list may also stand right below it. */
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

/** Of scalars only. */
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
