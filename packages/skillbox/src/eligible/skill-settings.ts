import type { JsonObject, Secret, SkillFields } from "@skillwright/core";

/** User configuration for one skill. */
export interface SkillSetting {
  /** False switches the skill off, whatever the skill itself declares. Defaults to true. */
  readonly enabled?: boolean | undefined;
  /** Variables for runs of this skill only. */
  readonly env?: Readonly<Record<string, string | Secret>> | undefined;
  /** Value of the variable that the skill names as `primaryEnv`. */
  readonly apiKey?: string | Secret | undefined;
  /** Values for runs of this skill only, passed as JSON in the variable `SKILL_CONFIG`. */
  readonly config?: JsonObject | undefined;
}

/** User configuration for skills. */
export interface SkillSettings {
  /** Keyed by the `skillKey` that a skill declares, otherwise by its name. */
  readonly skills?: Readonly<Record<string, SkillSetting>> | undefined;
  /** Names of the catalogue's sources that ship with the application. Defaults to none. */
  readonly bundledSources?: readonly string[] | undefined;
  /**
   * Allowed skills of the bundled sources, by name or key. Absent allows all, empty allows none. Other sources are not
   * affected.
   */
  readonly allowBundled?: readonly string[] | undefined;
  /** Host variables that are passed to skills that declare them. Defaults to none. */
  readonly passVariables?: readonly string[] | undefined;
  /** Where the paths of `requires.config` are looked up, unless the skill's own `config` has them. */
  readonly values?: JsonObject | undefined;
}

/** The part of a skill that settings and eligibility need: a summary of any catalogue, or a standalone skill. */
export interface JudgedSkill {
  readonly name: string;
  readonly frontmatter: JsonObject;
  /** Missing for a skill outside a catalogue. */
  readonly source?: string | undefined;
  /** Missing counts as trusted. */
  readonly trusted?: boolean | undefined;
}

/** Returns the setting under the skill's key, otherwise under its name, otherwise an empty one. */
export function settingOf(
  { name }: Pick<JudgedSkill, "name">,
  { openclaw }: SkillFields,
  { skills = {} }: SkillSettings,
): SkillSetting {
  const key = [openclaw?.skillKey, name].find((one) => one !== undefined && Object.hasOwn(skills, one));
  return (key !== undefined && skills[key]) || {};
}
