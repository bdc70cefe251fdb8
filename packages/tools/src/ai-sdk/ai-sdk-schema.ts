import type { JsonObject } from "@skillwright/core";

/** A JSON Schema in the form of Standard JSON Schema, which `ai` 6 and 7 read directly. */
export interface AiSdkSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "skillwright";
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** Accepts every value: the tool itself validates the input and answers the model. */
export function aiSdkSchema(schema: JsonObject): AiSdkSchema {
  // Copied each time, because the AI SDK modifies the schema.
  const copy = () => structuredClone(schema) as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "skillwright",
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}
