import type { YamlEntry } from "./yaml-mapping.js";

/** Finds a field that is probably a misspelled `key`: it differs only in case. */
export function otherCase(entries: ReadonlyMap<string, YamlEntry>, key: string): YamlEntry | undefined {
  for (const entry of entries.values())
    if (entry.key !== key && entry.key.toLowerCase() === key) return entry;
  return undefined;
}
