import type { JsonObject, JsonValue, SkillReturn } from "@skillwright/core";
import { z } from "zod";
import { valueSchema } from "./value-schema.js";

const MAX_TOLD = 5;

export interface ReturnedValues {
  /** The parsed output of the script. Missing where it does not have the declared form. */
  readonly result?: JsonValue;
  /** Differences from the skill's declaration. */
  readonly problems: readonly string[];
}

/**
 * Parses standard output as the skill declares it: one JSON object with the declared fields, or the value itself where
 * there is only one declaration; a single text need not be JSON. Without declarations, JSON is parsed and any other
 * text is returned unchanged.
 */
export function returnedValues(
  stdout: string,
  returns: Readonly<Record<string, SkillReturn>>,
): ReturnedValues {
  const text = stdout.trim();
  const read = parsed(text);
  const [[name, only] = [], ...others] = Object.entries(returns);
  if (name === undefined || only === undefined) return { result: read ?? text, problems: [] };
  const fields = z.looseObject(
    Object.fromEntries(Object.entries(returns).map(([key, value]) => [key, valueSchema(value)])),
  );
  const whole = fields.safeParse(read);
  if (whole.success) return { result: read as JsonObject, problems: [] };
  if (others.length === 0 && !isObjectWith(read, name)) {
    const schema = valueSchema(only);
    for (const value of [read, text])
      if (value !== undefined && schema.safeParse(value).success)
        return { result: { [name]: value }, problems: [] };
  }
  if (read === undefined)
    return { problems: [`The script did not print JSON; it should print ${declared(returns)}.`] };
  const problems = whole.error.issues.map(
    ({ path, message }) => `${path.join(".") || "The output"}: ${message}.`,
  );
  return { result: read, problems: problems.slice(0, MAX_TOLD) };
}

function declared(returns: Readonly<Record<string, SkillReturn>>): string {
  return `an object with ${Object.entries(returns)
    .map(([name, { type = "any" }]) => `${name} (${type})`)
    .join(", ")}`;
}

function isObjectWith(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
