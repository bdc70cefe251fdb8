import type { Event } from "js-yaml";
import { yaml } from "#yaml";
import { SkillError } from "../skill-error.js";

/**
 * Returns the source of one outermost `key: value` with another value. The key, the separator, and a comment after a
 * one-line value are preserved.
 * @param value The new value as YAML. A multi-line value begins with a line end.
 * @throws SkillError `INPUT_INVALID` where the old value contains a comment, or the key is not at the start of a line.
 */
export function replacedValue(source: string, key: string, value: string): string {
  const { start, end } = valueSpan(source, key);
  const before = source.slice(0, start).replace(/[ \t]+$/, "");
  return `${before}${/^[\r\n]/.test(value) ? "" : " "}${value}${source.slice(end)}`;
}

/**
 * Returns the comments and blank lines that follow the entry, without its key and value. @throws as `replacedValue`.
 */
export function removedEntry(source: string, key: string): string {
  const rest = source.slice(valueSpan(source, key).end);
  if (/^[ \t]*#/.test(rest)) throw hasComment(key);
  return rest.replace(/^[ \t]*(?:\r\n|\r|\n|$)/, "");
}

function valueSpan(source: string, key: string): { readonly start: number; readonly end: number } {
  const start = /^[^\s:?{[][^:\r\n]*:[ \t]*/.exec(source)?.[0].length;
  if (start === undefined)
    throw new SkillError(
      "INPUT_INVALID",
      `The field "${key}" does not begin a line of the header, so it cannot be changed alone. Write each field on a line of its own.`,
    );
  const events = entryEvents(source);
  const value = events?.[2];
  // The entry alone is not valid YAML, so only its text can be used.
  if (!events || !value) return { start, end: contentEnd(source, start) };
  const end = endOf(value, source, start);
  if (isCommented(source, start, end, events.slice(2))) throw hasComment(key);
  return { start, end };
}

/** The parser events of the mapping, the key and the value. */
function entryEvents(source: string): readonly Event[] | undefined {
  try {
    return yaml().parseEvents(source, {}).slice(1);
  } catch {
    return undefined;
  }
}

function endOf(value: Event, source: string, start: number): number {
  if (value.type === yaml().EVENT_ID.ALIAS) return value.anchorEnd;
  if (value.type !== yaml().EVENT_ID.SCALAR) return contentEnd(source, start);
  if (value.valueEnd < 0) return Math.max(start, value.anchorEnd, value.tagEnd);
  // Inside a block scalar, `#` is text.
  if (isBlock(value)) return source.slice(0, value.valueEnd).trimEnd().length;
  return value.style === yaml().SCALAR_STYLE.PLAIN ? value.valueEnd : value.valueEnd + 1;
}

function isBlock(event: Event): boolean {
  if (event.type !== yaml().EVENT_ID.SCALAR) return false;
  return (
    event.style === yaml().SCALAR_STYLE.LITERAL_BLOCK || event.style === yaml().SCALAR_STYLE.FOLDED_BLOCK
  );
}

/** Offset of the end without trailing blank lines and comment lines. */
function contentEnd(source: string, start: number): number {
  const rest = source.slice(start).replace(/(?:(?:\r\n|\r|\n)[ \t]*(?:#[^\r\n]*)?)+$/, "");
  return start + rest.trimEnd().length;
}

/** Searches only between the scalars, where `#` always starts a comment. */
function isCommented(source: string, start: number, end: number, events: readonly Event[]): boolean {
  let at = start;
  let between = "";
  for (const event of events) {
    if (event.type !== yaml().EVENT_ID.SCALAR || event.valueStart < 0) continue;
    between += source.slice(at, event.valueStart);
    at = event.valueEnd;
  }
  return (between + source.slice(Math.min(at, end), end)).includes("#");
}

function hasComment(key: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `The value of "${key}" contains a comment, which would be lost. Edit the text of SKILL.md, or move the comment above the field.`,
  );
}

/** A header with its two lines of dashes, split into lines so that single entries can be replaced. */
export interface HeaderLines {
  /** Lines with their line ends. The first and the last are the dashes. */
  readonly lines: string[];
  /** The line end used in the header. */
  readonly lineEnd: string;
}

export function headerLines(header: string): HeaderLines {
  const lines = header.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return { lines, lineEnd: /[\r\n]+$/.exec(lines[0] ?? "")?.[0] ?? "\n" };
}

/** Number of lines of the entry that begins at `first`. */
export function entryLength({ lines }: HeaderLines, first: number): number {
  let next = first + 1;
  while (next < lines.length - 1 && CONTINUES.test(lines[next] ?? "")) next++;
  return next - first;
}

/** Matches the start of a line that continues an entry: white space, a comment, a list item, or a closing bracket. */
const CONTINUES = /^(?:[\s#\]},]|-(?:\s|$))/;
