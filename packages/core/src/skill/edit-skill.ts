import { SkillError } from "../skill-error.js";
import { entryLength, type HeaderLines, headerLines, removedEntry, replacedValue } from "./entry-splice.js";
import { parseSkill } from "./parse-skill.js";
import { type SkillText, serializedHeader } from "./serialize-skill.js";
import { readSkillDocument } from "./skill-document.js";
import type { YamlEntry } from "./yaml-mapping.js";

export interface EditedSkill {
  readonly content: Uint8Array;
}

/**
 * Returns SKILL.md with some fields or the text changed and every other byte preserved: other fields, comments, line
 * ends. A new field is inserted in the standard's order. A field given without a value (`undefined`, an empty text,
 * list or map) is removed. The result is parsed again and compared field by field.
 * @throws SkillError `SKILL_INVALID` where the file cannot be loaded; `INPUT_INVALID` as `serializeSkill`, and where a
 * change would lose something: a comment inside the old value, an anchor that is used elsewhere, fields in braces.
 */
export function editSkill(
  content: string | Uint8Array,
  changes: Partial<SkillText>,
  options: { directoryName: string },
): EditedSkill {
  const { skill, diagnostics } = parseSkill(content, options);
  if (!skill) {
    const reason = diagnostics.find(({ severity }) => severity === "error");
    throw new SkillError("SKILL_INVALID", `SKILL.md cannot be edited. ${reason?.message} ${reason?.hint}`);
  }
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const start = bodyStart(bytes);
  const { body, ...fields } = changes;
  const text = body === undefined ? bytes.subarray(start) : bodyBytes(body);
  const header = withLineEnd(bytes.subarray(0, start), body !== undefined);
  if (Object.keys(fields).length === 0) return { content: Buffer.concat([header, text]) };
  const { name, description } = skill;
  return { content: Buffer.concat([editedHeader(header, { name, description, ...fields }, fields), text]) };
}

/** The same form that `serializeSkill` writes. */
function bodyBytes(body: string): Uint8Array {
  const text = body.replace(/\r\n?/g, "\n").trim();
  return Buffer.from(text === "" ? "" : `\n${text}\n`);
}

/** Adds the line end that is missing when the header ends the file. */
function withLineEnd(header: Uint8Array, isFollowed: boolean): Uint8Array {
  const last = header.at(-1);
  return !isFollowed || last === 10 || last === 13 ? header : Buffer.concat([header, Buffer.from("\n")]);
}

/** Offset of the line after the closing dashes. Works on bytes, so that no encoding is changed. */
function bodyStart(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const closing = /(?:\r\n|\r|\n)---[ \t]*(?:\r\n|\r|\n|$)/.exec(text);
  return closing ? closing.index + closing[0].length : bytes.byteLength;
}

type Entries = ReadonlyMap<string, YamlEntry>;
type HeaderText = Omit<SkillText, "body">;

const KEYS: Readonly<Record<keyof HeaderText, readonly [key: string, ...spellings: string[]]>> = {
  name: ["name"],
  description: ["description"],
  license: ["license"],
  compatibility: ["compatibility"],
  metadata: ["metadata"],
  allowedTools: ["allowed-tools", "allowed_tools", "allowedTools"],
};

function editedHeader(header: Uint8Array, wanted: HeaderText, changes: Partial<HeaderText>): Uint8Array {
  const before = Buffer.from(header).toString("utf8");
  if (Buffer.compare(Buffer.from(before), header) !== 0)
    throw new SkillError(
      "INPUT_INVALID",
      "The header of SKILL.md is not UTF-8. Save the file as UTF-8 first.",
    );
  const model = headerLines(serializedHeader(wanted));
  const modelEntries = entriesOf(model.lines.join(""));
  const changed = new Map<string, YamlEntry | undefined>();
  let after = before;
  for (const [field, spellings] of Object.entries(KEYS)) {
    if (!Object.hasOwn(changes, field)) continue;
    const entries = entriesOf(after);
    const key = spellings.find((spelling) => entries.has(spelling)) ?? spellings[0];
    const entry = modelEntries.get(spellings[0]);
    changed.set(key, entry);
    if (!isSame(entries.get(key), entry))
      after = withEntry(after, key, entries, entry && writtenValue(model, entry));
  }
  checkKept(entriesOf(before), entriesOf(after), changed);
  return Buffer.from(after);
}

function entriesOf(header: string): Entries {
  const { header: read } = readSkillDocument(header);
  return "unusable" in read ? new Map() : read.entries;
}

/** The value as written after the key. */
function writtenValue(model: HeaderLines, { key, line }: YamlEntry): string {
  const source = model.lines.slice(line - 1, line - 1 + entryLength(model, line - 1)).join("");
  return source
    .slice(key.length + 1)
    .replace(/^ /, "")
    .replace(/\n$/, "");
}

function withEntry(header: string, key: string, entries: Entries, value: string | undefined): string {
  const { lines, lineEnd } = headerLines(header);
  const text = value?.replaceAll("\n", lineEnd);
  const line = entries.get(key)?.line;
  if (line === undefined) {
    const at = placeFor(key, { lines, lineEnd }, entries);
    if (text !== undefined)
      lines.splice(at, 0, `${key}:${text.startsWith(lineEnd) ? "" : " "}${text}${lineEnd}`);
    return lines.join("");
  }
  const length = entryLength({ lines, lineEnd }, line - 1);
  const source = lines.slice(line - 1, line - 1 + length).join("");
  lines.splice(
    line - 1,
    length,
    text === undefined ? removedEntry(source, key) : replacedValue(source, key, text),
  );
  return lines.join("");
}

/** Returns the position after the preceding field in the standard's order, or the top where there is none. */
function placeFor(key: string, header: HeaderLines, entries: Entries): number {
  const order = Object.values(KEYS).flat();
  const earlier = order.slice(0, order.indexOf(key)).findLast((other) => entries.has(other));
  const line = earlier === undefined ? undefined : entries.get(earlier)?.line;
  return line === undefined ? 1 : line - 1 + entryLength(header, line - 1);
}

/** @throws SkillError `INPUT_INVALID` naming the first field that would be read differently. */
function checkKept(
  before: Entries,
  after: Entries,
  changed: ReadonlyMap<string, YamlEntry | undefined>,
): void {
  for (const key of new Set([...before.keys(), ...after.keys(), ...changed.keys()])) {
    const wanted = changed.has(key) ? changed.get(key) : before.get(key);
    if (isSame(after.get(key), wanted)) continue;
    const what = changed.has(key) ? "cannot be changed alone" : "would be changed with it";
    throw new SkillError(
      "INPUT_INVALID",
      `The field ${JSON.stringify(key.slice(0, 80))} ${what}: the header uses YAML features that editing cannot preserve. Edit the text of SKILL.md.`,
      { details: { field: key } },
    );
  }
}

function isSame(one: YamlEntry | undefined, other: YamlEntry | undefined): boolean {
  return JSON.stringify(content(one)) === JSON.stringify(content(other));
}

function content(entry: YamlEntry | undefined): unknown {
  return entry && [entry.value, entry.text, Object.entries(entry.texts ?? {})];
}
