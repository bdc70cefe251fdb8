import { SkillError } from "@skillwright/core";

/**
 * A record as it was stored in that file.
 * @param key A field that such a record has as text.
 * @throws SkillError `BACKEND_FAILED` for one that this release cannot read.
 */
export function storedRecord<Stored extends { readonly formatVersion: 1 }>(
  text: string,
  file: string,
  key: keyof Stored,
): Stored {
  try {
    const record = JSON.parse(text) as Stored;
    if (record.formatVersion === 1 && typeof record[key] === "string") return record;
  } catch {
    // Told below, like any other that cannot be read.
  }
  const message = `The record ${file} is damaged or from a later release. Restore it, or delete its folder.`;
  throw new SkillError("BACKEND_FAILED", message);
}
