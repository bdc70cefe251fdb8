import type { JsonObject, SkillParameter, SkillReturn } from "@skillwright/core";
import { z } from "zod";
import { jsonSchema } from "../input/json-schema.js";

/** Types that skills use. Any other type, or none, allows any value. */
const SCHEMAS: ReadonlyMap<string, () => z.ZodType> = new Map<string, () => z.ZodType>([
  ...["string", "text", "str"].map((name) => [name, () => z.string()] as const),
  ...["number", "float", "double"].map((name) => [name, () => z.number()] as const),
  ...["integer", "int"].map((name) => [name, () => z.number().int()] as const),
  ...["boolean", "bool"].map((name) => [name, () => z.boolean()] as const),
  ...["array", "list"].map((name) => [name, () => z.array(z.unknown())] as const),
  ...["object", "map", "dict"].map((name) => [name, () => z.record(z.string(), z.unknown())] as const),
]);

/** The schema of one declared value: its type, `string[]` for lists of it, its description. */
export function valueSchema({ type = "", description }: SkillReturn): z.ZodType {
  const name = type.trim().toLowerCase();
  const [, inner] = /^(.*)\[\]$/.exec(name) ?? [];
  const schema =
    inner === undefined ? (SCHEMAS.get(name)?.() ?? z.unknown()) : z.array(valueSchema({ type: inner }));
  return description === undefined ? schema : schema.describe(description);
}

/** All parameters as fields of one object; unknown ones are refused by name. */
export function parametersSchema(parameters: Readonly<Record<string, SkillParameter>>): z.ZodObject {
  const fields = Object.entries(parameters).map(([name, parameter]) => {
    const schema = enumerated(parameter);
    return [name, parameter.required ? schema : schema.optional()] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** Like `parametersSchema`, as JSON Schema. */
export function parametersJson(parameters: Readonly<Record<string, SkillParameter>>): JsonObject {
  return jsonSchema(parametersSchema(parameters));
}

/** The header stores the values of `enum` as texts; they are converted to numbers where the type requires it. */
function enumerated(parameter: SkillParameter): z.ZodType {
  const { enum: values, description } = parameter;
  const schema = valueSchema(parameter);
  if (values.length === 0) return schema;
  const told =
    description === undefined
      ? `One of ${values.join(", ")}.`
      : `${description} One of ${values.join(", ")}.`;
  if (schema instanceof z.ZodString) return z.enum(values as [string, ...string[]]).describe(told);
  return schema
    .refine((value) => values.includes(asText(value)), `must be one of ${values.join(", ")}`)
    .describe(told);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
