import { z } from "zod";

/**
 * A schema that accepts any input but converts to the given JSON Schema for a model. LangChain validates against both
 * JSON Schema and Zod; only Zod separates the two.
 */
export function uncheckedSchema(jsonSchema: object): Record<string, unknown> {
  const schema = z.any();
  schema._zod.toJSONSchema = () => jsonSchema;
  return schema as unknown as Record<string, unknown>;
}
