import { type JsonValue, SkillError } from "@skillwright/core";

/** @throws SkillError `BACKEND_FAILED` where it is no JSON. */
export function jsonOf(text: unknown, name: string): JsonValue {
  try {
    return JSON.parse(String(text)) as JsonValue;
  } catch {
    const message = `The record ${JSON.stringify(name)} is damaged in the database. Write it anew, or delete it.`;
    throw new SkillError("BACKEND_FAILED", message, { details: { name } });
  }
}
