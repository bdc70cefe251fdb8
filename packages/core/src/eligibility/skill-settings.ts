import type { JsonObject } from "../json-value.js";
import type { Secret } from "../secret.js";
import type { SkillFields } from "../skill/fields/skill-fields.js";

/** What the user's configuration says of one skill. */
export interface SkillSetting {
  /** False switches the skill off, whatever it says of itself. True by default. */
  readonly enabled?: boolean | undefined;
  /** Variables for this skill's runs alone. */
  readonly env?: Readonly<Record<string, string | Secret>> | undefined;
  /** Becomes the variable that the skill names as `primaryEnv`. */
  readonly apiKey?: string | Secret | undefined;
  /** Values for this skill's runs alone: they find them as JSON in the variable `SKILL_CONFIG`. */
  readonly config?: JsonObject | undefined;
}

/** What the user's configuration says of skills. */
export interface SkillSettings {
  /** By the `skillKey` that a skill declares, else by its name. */
  readonly skills?: Readonly<Record<string, SkillSetting>> | undefined;
  /** Names of the catalogue's sources that ship with the application. None by default. */
  readonly bundledSources?: readonly string[] | undefined;
  /** Skills of the bundled sources that are wanted, by name or key. Absent is all, empty is none; others are not touched. */
  readonly allowBundled?: readonly string[] | undefined;
  /** Variables of the host that a skill gets where it declares them. None by default. */
  readonly passVariables?: readonly string[] | undefined;
  /** Where the paths of `requires.config` are looked up, unless the skill's own `config` has them. */
  readonly values?: JsonObject | undefined;
}

/** A skill as far as settings and eligibility ask: a summary of any catalogue, or a skill by itself. */
export interface JudgedSkill {
  readonly name: string;
  readonly frontmatter: JsonObject;
  /** Missing for a skill outside a catalogue. */
  readonly source?: string | undefined;
  /** Missing counts as true. */
  readonly trusted?: boolean | undefined;
}

/** The setting under the skill's key, else under its name; an empty one where there is neither. */
export function settingOf(
  { name }: Pick<JudgedSkill, "name">,
  { openclaw }: SkillFields,
  { skills = {} }: SkillSettings,
): SkillSetting {
  const key = [openclaw?.skillKey, name].find((one) => one !== undefined && Object.hasOwn(skills, one));
  return (key !== undefined && skills[key]) || {};
}
