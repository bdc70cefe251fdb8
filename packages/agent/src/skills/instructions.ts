import type { Skill } from "@skillwright/core";
import { namedToolsLine } from "@skillwright/tools";

/** The body of a skill for the model, followed by the tools that its header names. */
export function instructions({ body, frontmatter }: Skill): string {
  return [body, namedToolsLine(frontmatter)].filter((part) => part !== "").join("\n\n");
}
