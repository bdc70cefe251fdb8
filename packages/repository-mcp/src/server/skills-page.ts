import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/** One page of a listing; its entries can be anything. */
export interface SkillsPage {
  readonly skills: readonly unknown[];
  readonly nextCursor?: string | undefined;
}

/** Checks the page, and leaves each entry to whoever reads it, so that one bad entry hides no other. */
export const skillsPageSchema: StandardSchemaV1<unknown, SkillsPage> = {
  "~standard": {
    version: 1,
    vendor: "skillwright",
    validate(value) {
      const { skills, nextCursor } = Object(value) as Readonly<Record<string, unknown>>;
      if (!Array.isArray(skills)) return { issues: [{ message: "the page has no list of skills" }] };
      if (nextCursor !== undefined && typeof nextCursor !== "string")
        return { issues: [{ message: "the page has a cursor that is no text" }] };
      return { value: { skills, nextCursor } };
    },
  },
};
