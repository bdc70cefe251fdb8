import { type Diagnostic, type JsonObject, SkillError } from "@skillwright/core";
import type { z } from "zod";
import { inputError } from "./input-error.js";
import { repairInput } from "./repair-input.js";

const MAX_REPAIRS = 8;

/**
 * Validates the input against the schema. Common small mistakes of models are repaired and reported: an object or list
 * written as JSON text, a single value instead of a list, a number as text, `null` for an absent field, a field in
 * another spelling (`MaxFiles`, `maxFiles`) or under an alias.
 * @throws SkillError `INPUT_INVALID` naming each field, the given value and what is valid.
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  json: JsonObject,
  given: unknown,
  aliases: Readonly<Record<string, string>> = {},
): { input: z.infer<Schema>; diagnostics: readonly Diagnostic[] } {
  const value = plainObject(given);
  for (const [alias, name] of Object.entries(aliases)) takeAlias(value, alias, name);
  const diagnostics: Diagnostic[] = [];
  for (let round = 0; ; round++) {
    const result = schema.safeParse(value);
    if (result.success) return { input: result.data, diagnostics };
    const { issues } = result.error;
    const repairs = issues.flatMap((issue) => {
      const told = repairInput(value, issue, json);
      return told ? [told] : [];
    });
    if (repairs.length === 0 || round === MAX_REPAIRS) throw inputError(issues, json, value);
    diagnostics.push(...repairs.flat());
  }
}

/** Where both are given, the valid name keeps its value, and the alias is then refused by name. */
function takeAlias(value: Record<string, unknown>, alias: string, name: string): void {
  if (!Object.hasOwn(value, alias) || Object.hasOwn(value, name)) return;
  value[name] = value[alias];
  delete value[alias];
}

function protoName(): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    "Invalid arguments: the name `__proto__` cannot be used. Choose another.",
  );
}

/** Returns a plain JSON copy, so that repairs never change the caller's object. */
function plainObject(given: unknown): Record<string, unknown> {
  let value: unknown;
  try {
    const text = typeof given === "string" ? given || "{}" : (JSON.stringify(given ?? {}) ?? "");
    value = JSON.parse(text, (name, inner) => {
      // A schema would leave it out without a word.
      if (name === "__proto__") throw protoName();
      return inner;
    });
  } catch (error) {
    if (SkillError.is(error)) throw error;
    throw new SkillError(
      "INPUT_INVALID",
      "Invalid arguments: they are not valid JSON. Send one JSON object.",
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SkillError("INPUT_INVALID", "Invalid arguments: send one JSON object with the fields by name.");
  return value as Record<string, unknown>;
}
