import { z } from "zod";

/**
 * A schema that lets any input pass and is the given JSON Schema to whoever converts it for a model. LangChain validates
 * against JSON Schema and against Zod alike; Zod alone tells the two apart.
 */
export function uncheckedSchema(jsonSchema: object): Record<string, unknown> {
  const schema = z.any();
  schema._zod.toJSONSchema = () => jsonSchema;
  return schema as unknown as Record<string, unknown>;
}
