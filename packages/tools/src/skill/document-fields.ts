import { z } from "zod";

/** The fields that select documents. */
export const documentFields = () => ({
  docs: z.array(z.string()).optional().describe("Documents of the skill by path, such as USAGE.md."),
  include_all_docs: z.boolean().optional().describe("All documents of the skill."),
});
