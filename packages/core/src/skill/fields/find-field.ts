import type { JsonObject, JsonValue } from "../../json-value.js";
import type { FilePosition } from "../skill-file-diagnostic.js";

/** A header field with its position and its scalars as written. */
export interface FrontmatterField extends FilePosition {
  readonly value: JsonValue;
  readonly text?: string | undefined;
  /** For a map: its scalars by key. */
  readonly texts?: Readonly<Record<string, string>>;
}

/**
 * Accepted spellings: with hyphens, with underscores and in camel case, as several clients accept them. The canonical
 * name comes first.
 */
const SPELLINGS = new Map([
  ["allowed-tools", ["allowed-tools", "allowed_tools", "allowedTools"]],
  ["toolHints", ["toolHints", "tool-hints", "tool_hints"]],
  [
    "disable-model-invocation",
    ["disable-model-invocation", "disable_model_invocation", "disableModelInvocation"],
  ],
  ["user-invocable", ["user-invocable", "user_invocable", "userInvocable"]],
]);

/**
 * Finds the field in any of its spellings, otherwise at `metadata.frontmatter.<field>`, where `editSkill` of earlier
 * versions moved it.
 */
export function findField(
  fields: ReadonlyMap<string, FrontmatterField>,
  name: string,
): FrontmatterField | undefined {
  const spellings = spellingsOf(name);
  for (const spelling of spellings) {
    const field = fields.get(spelling);
    if (field) return field;
  }
  const metadata = fields.get("metadata");
  return metadata && movedField(metadata, spellings);
}

/** Every key that is read as the field with that name. */
export function spellingsOf(name: string): readonly string[] {
  return SPELLINGS.get(name) ?? [name];
}

const MOVED = "frontmatter.";

function movedField(metadata: FrontmatterField, spellings: readonly string[]): FrontmatterField | undefined {
  const texts = metadata.value;
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return undefined;
  if (!Object.keys(texts).some((key) => key.startsWith(MOVED))) return undefined;
  for (const spelling of spellings) {
    const key = MOVED + spelling;
    if (Object.hasOwn(texts, key))
      return {
        line: metadata.line,
        column: metadata.column,
        value: unpacked((texts as JsonObject)[key] ?? null),
      };
  }
  return undefined;
}

function unpacked(value: JsonValue): JsonValue {
  try {
    return typeof value === "string" ? (JSON.parse(value) as JsonValue) : value;
  } catch {
    return value;
  }
}
