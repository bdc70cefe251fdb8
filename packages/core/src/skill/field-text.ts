import type { YamlEntry } from "./yaml-mapping.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: dropping control characters is the point
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** True for a field that is there and holds neither text nor another scalar: a map or a list. */
export function isStructured(entry: YamlEntry | undefined): boolean {
  return typeof entry?.value === "object" && entry.value !== null;
}

/** A scalar as it was written, trimmed; `""` where there is none, where it is null or structured. */
export function writtenText(entry: YamlEntry | undefined): string {
  return entry === undefined || entry.value === null ? "" : (entry.text ?? "").trim();
}

/**
 * The text on one line: runs of white space as one space. Control characters are dropped, and those that turn the
 * direction of writing round (YAML-15).
 */
export function oneLine(text: string): string {
  if (!MANY_SPACES.test(text) && !hasControlCharacters(text)) return text.trim();
  return text.replace(CONTROL_CHARACTERS, "").trim().replace(/\s+/g, " ");
}

/** White space that `oneLine` makes another one of, at an end or not. */
const MANY_SPACES = /\s\s|[^\S ]/;

/** True where `oneLine` drops more than white space. */
export function hasControlCharacters(text: string): boolean {
  return text.search(CONTROL_CHARACTERS) >= 0;
}
