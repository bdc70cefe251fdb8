import type { SkillErrorCode } from "@skillwright/core";

/** An archive that must be refused before anything is written. */
export interface HostileCase {
  readonly id: string;
  readonly what: string;
  readonly bytes: () => Buffer;
  readonly code: SkillErrorCode;
  /** Texts that the message must contain: the entry and words of the rule. */
  readonly says: readonly string[];
}

export const SKILL_FILE = {
  name: "SKILL.md",
  content: "---\nname: demo\ndescription: Shows how archives work.\n---\n\nBody.\n",
};
