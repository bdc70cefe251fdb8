import { z } from "zod";

/** A required text that is not blank. Checked by a function, since some model APIs refuse patterns in a schema. */
export function requiredText(description: string): z.ZodString {
  return z
    .string()
    .refine((text) => text.trim() !== "", "must not be blank")
    .describe(description);
}

export function skillNameField(): z.ZodType<string, string> {
  return z
    .string()
    .trim()
    .refine((text) => text !== "", "must not be blank")
    .describe("Name of the skill, as listed.");
}
