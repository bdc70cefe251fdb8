import type { Diagnostic } from "../diagnostic.js";
import type { JsonObject } from "../json-value.js";
import type { SkillManifest } from "./manifest.js";

/** What a listing returns for a skill. Only the head of its SKILL.md is read; the body is never included. */
export interface SkillSummary {
  /** The label from the frontmatter, or the directory's name where that is missing. Never used as a path. */
  readonly name: string;
  readonly description: string;
  /** Where it is inside its repository, `/` between parts: its identity there. */
  readonly path: string;
  /** Every field of the frontmatter as parsed, including unknown ones. */
  readonly frontmatter: JsonObject;
  /**
   * Opaque mark that changes when any file of the skill changes, as far as this can be detected without reading every
   * file.
   */
  readonly changeMark: string;
  /** Digest over all files, where it is known without reading them. */
  readonly digest?: string;
  readonly version?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A skill directory that cannot be used, with the reasons. */
export interface BrokenSkill {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A full skill, except for the content of its files, which are opened one by one. */
export interface Skill extends SkillSummary {
  /** The Markdown after the frontmatter, trimmed, line ends as LF. */
  readonly body: string;
  readonly manifest: SkillManifest;
  readonly digest: string;
}

/** True for the text files of a skill that may be shown to the model: `.md` and `.txt`, except its SKILL.md. */
export function isSkillDocument(path: string): boolean {
  return /\.(md|txt)$/i.test(path) && path !== "SKILL.md";
}
