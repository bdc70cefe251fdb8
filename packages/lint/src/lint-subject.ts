import type { SkillFields } from "@skillwright/core";
import type { YamlEntry } from "@skillwright/core/adapter";
import { readSkillDocument, readSkillFields } from "@skillwright/core/adapter";
import type { LintedFile, LintedSkill } from "./lint-finding.js";
import { type LintedText, lintedText } from "./linted-text.js";

/** A skill prepared for the rules: parsed once, used by all of them. */
export interface LintSubject {
  readonly skill: LintedSkill;
  readonly texts: readonly LintedText[];
  /** Text of SKILL.md; `undefined` where it is missing or not text. */
  readonly skillText: LintedText | undefined;
  /** Fields of the header, raw: control characters are kept. Positions refer to SKILL.md. */
  readonly header: ReadonlyMap<string, YamlEntry>;
  readonly fields: SkillFields;
  readonly body: string;
  /** Why the header cannot be read, if it is too large. */
  readonly headerLimit: string | undefined;
}

export function lintSubject(skill: LintedSkill): LintSubject {
  const skillFile = skillFileOf(skill);
  const texts = skill.files
    .map((file) => lintedText(file, file === skillFile))
    .filter((text) => text !== undefined);
  const skillText = texts.find(({ path }) => path === skillFile?.path);
  const { header, body } = readSkillDocument(skillText?.text ?? "");
  const entries = "entries" in header ? header.entries : new Map<string, YamlEntry>();
  const tooLarge = "unusable" in header && header.unusable.code === "yaml.resource-limit";
  return {
    skill,
    texts,
    skillText,
    header: entries,
    fields: readSkillFields(entries).fields,
    body,
    headerLimit: tooLarge ? header.unusable.message : undefined,
  };
}

/** Returns SKILL.md, or the file that replaces it on a case-insensitive file system. */
export function skillFileOf({ files }: LintedSkill): LintedFile | undefined {
  return (
    files.find(({ path }) => path === "SKILL.md") ??
    files.find(({ path }) => path.toLowerCase() === "skill.md")
  );
}
