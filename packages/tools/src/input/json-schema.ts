import type { JsonObject } from "@skillwright/core";
import { z } from "zod";

/** As model APIs take it: without what Zod adds for its own sake and some of them refuse. */
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
