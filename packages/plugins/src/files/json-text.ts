import { type JsonObject, type JsonValue, SkillError } from "@skillwright/core";
import { repeatedKeys } from "./repeated-keys.js";

/** Bytes that `plugin.json`, `mcp.json` and the files of Claude Code may have. */
export const MOST_BYTES = 1024 * 1024;

/** Objects and lists inside each other that such a file may have: what reads its values may be recursive. */
const MOST_LEVELS = 1000;

/** A JSON file as it was read. */
export interface JsonText {
  readonly value: JsonValue;
  /** Names that an object of the file has twice; the last value counts. */
  readonly repeated: readonly string[];
}

/**
 * Parses the bytes of a file. A byte order mark is skipped; a key such as `__proto__` is an ordinary own property.
 * @param what Its name, for messages.
 * @throws SkillError `CONFIG_INVALID` for bytes that are not UTF-8, not JSON, or JSON of more than 1,000 levels.
 */
export function jsonText(bytes: Uint8Array, what: string): JsonText {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { value: JSON.parse(text) as JsonValue, repeated: repeatedKeys(text, MOST_LEVELS) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SkillError("CONFIG_INVALID", `${what} is not JSON in UTF-8: ${why}. Correct it.`, {
      cause: error,
    });
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
