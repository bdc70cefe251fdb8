import { SkillError } from "@skillwright/core";

/**
 * Parses a record stored in that file.
 * @param key A text field that such a record must have.
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
    // Reported below, like any other unreadable record.
  }
  const message = `The record ${file} is damaged or from a later release. Restore it, or delete its folder.`;
  throw new SkillError("BACKEND_FAILED", message);
}
