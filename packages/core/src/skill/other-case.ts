import type { YamlEntry } from "./yaml-mapping.js";

/** The field that an author most likely meant to be `key`: it differs in the case of letters alone. */
export function otherCase(entries: ReadonlyMap<string, YamlEntry>, key: string): YamlEntry | undefined {
  for (const entry of entries.values())
    if (entry.key !== key && entry.key.toLowerCase() === key) return entry;
  return undefined;
}
