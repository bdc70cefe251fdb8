import type { JsonObject } from "@skillwright/core";
import { z } from "zod";

/** The schema as model APIs accept it: without Zod's additions that some of them refuse. */
export function jsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    override: ({ jsonSchema: node }) => {
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      delete node.propertyNames;
    },
  });
  return json as JsonObject;
}
