import type { JsonObject, JsonValue } from "@skillwright/core";

/** Returns the part of a JSON Schema that describes the value at that path. */
export function schemaNode(schema: JsonObject, path: readonly PropertyKey[]): JsonObject | undefined {
  let node: JsonValue | undefined = schema;
  for (const part of path) {
    if (!isObject(node)) return undefined;
    const { properties, items, additionalProperties } = node as SchemaParts;
    node =
      typeof part === "number"
        ? items
        : isObject(properties) && Object.hasOwn(properties, part)
          ? properties[String(part)]
          : additionalProperties;
  }
  return isObject(node) ? node : undefined;
}

/** Names of the fields that an object of that node may have. */
export function fieldNames(node: JsonObject | undefined): readonly string[] {
  const { properties } = (node ?? {}) as SchemaParts;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Names of its required fields. */
export function requiredFields(node: JsonObject | undefined): readonly string[] {
  const { required } = (node ?? {}) as SchemaParts;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** Returns the value at that path, following own properties only. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, part)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[part];
  }
  return current;
}

interface SchemaParts {
  readonly properties?: JsonValue;
  readonly items?: JsonValue;
  readonly additionalProperties?: JsonValue;
  readonly required?: JsonValue;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
