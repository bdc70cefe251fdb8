import { type JsonValue, SkillError } from "@skillwright/core";

/** @throws SkillError `BACKEND_FAILED` for a value that this release cannot read. */
export function storedValue<Stored extends { readonly formatVersion: 1 }>(
  value: JsonValue,
  what: string,
): Stored {
  if (isReadable(value)) return value as unknown as Stored;
  throw new SkillError(
    "BACKEND_FAILED",
    `The stored ${what} is damaged or from a later release. Use that release, or delete it.`,
  );
}

export function isReadable(value: JsonValue): boolean {
  return (
    typeof value === "object" && value !== null && "formatVersion" in value && value["formatVersion"] === 1
  );
}
