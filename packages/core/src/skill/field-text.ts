import type { YamlEntry } from "./yaml-mapping.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: dropping control characters is the point
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** True for a field whose value is a map or a list. */
export function isStructured(entry: YamlEntry | undefined): boolean {
  return typeof entry?.value === "object" && entry.value !== null;
}

/** Returns a scalar as written, trimmed; `""` where it is missing, null or structured. */
export function writtenText(entry: YamlEntry | undefined): string {
  return entry === undefined || entry.value === null ? "" : (entry.text ?? "").trim();
}

/**
 * Returns the text on one line: each run of white space becomes one space. Control characters and direction marks are
 * dropped.
 */
export function oneLine(text: string): string {
  if (!MANY_SPACES.test(text) && !hasControlCharacters(text)) return text.trim();
  return text.replace(CONTROL_CHARACTERS, "").trim().replace(/\s+/g, " ");
}

/** White space that `oneLine` changes, apart from trimming. */
const MANY_SPACES = /\s\s|[^\S ]/;

/** True where `oneLine` drops more than white space. */
export function hasControlCharacters(text: string): boolean {
  return text.search(CONTROL_CHARACTERS) >= 0;
}

/** Finds a field that is probably a misspelled `key`: it differs only in case. */
export function otherCase(entries: ReadonlyMap<string, YamlEntry>, key: string): YamlEntry | undefined {
  for (const entry of entries.values())
    if (entry.key !== key && entry.key.toLowerCase() === key) return entry;
  return undefined;
}
