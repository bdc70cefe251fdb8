import type { JsonObject } from "@skillwright/core";

/** Places where skills are looked for by themselves. */
export type SkillPlaceKind = (typeof SKILL_PLACE_KINDS)[number];

export const SKILL_PLACE_KINDS = ["project", "user", "plugin", "package", "bundled"] as const;

/** A text; or the variable of the host's environment that holds it, so that it stands in no file. */
export type ConfiguredText = string | { readonly from: string };

/** One skill's settings. Of a file that came with a project only `enabled` counts. */
export interface ConfiguredSkill {
  /** False switches the skill off. */
  readonly enabled?: boolean | undefined;
  /** Variables for this skill's runs alone. */
  readonly env?: Readonly<Record<string, ConfiguredText>> | undefined;
  /** Becomes the variable that the skill names as `primaryEnv`. */
  readonly api_key?: ConfiguredText | undefined;
  /** Values for this skill's runs alone, as JSON in their variable `SKILL_CONFIG`. */
  readonly config?: JsonObject | undefined;
}

/** `skillwright.config.ts` or `skillwright.config.json`. Every field is optional. */
export interface ConfigurationFile {
  readonly $schema?: string | undefined;
  readonly skills?:
    | {
        /** False: no overview, no skill tools. True by default. */
        readonly enabled?: boolean | undefined;
        /** Which places count. All by default. */
        readonly sources?: readonly SkillPlaceKind[] | undefined;
        /** More sources by name, strongest first: a folder, `s3://…`, `git+https://…`, an https address. */
        readonly repositories?:
          | Readonly<
              Record<string, string | { readonly source: string; readonly trusted?: boolean | undefined }>
            >
          | undefined;
        /** Characters of the overview, 4,000 by default. */
        readonly max_index_chars?: number | undefined;
        /** Skills in the overview, 32 by default. */
        readonly max_listed_skills?: number | undefined;
        /** The only skills that are wanted. Absent is all, empty is none. */
        readonly allow?: readonly string[] | undefined;
        /** The only bundled skills that are wanted, by name or key. Absent is all, empty is none. */
        readonly allow_bundled?: readonly string[] | undefined;
        /** Variables of the host that a skill gets where it declares them. None by default. */
        readonly pass_env?: readonly string[] | undefined;
        /** What skills that need something to be on in the configuration are answered with. */
        readonly values?: JsonObject | undefined;
        /** By the key that a skill declares, else by its name. */
        readonly entries?: Readonly<Record<string, ConfiguredSkill>> | undefined;
      }
    | undefined;
  /** After how many user turns the agent's profile is given again: 100 by default, 0 is never. */
  readonly agent_prompt_reinject_every?: number | undefined;
  /** Another place for the same setting. */
  readonly gateway?: { readonly agent_prompt_reinject_every?: number | undefined } | undefined;
  /** Tools that the agent has beside Skillwright's own, by name: `doctor` does not warn of hints at them. */
  readonly tools?: readonly string[] | undefined;
  /** Only in the home's file: folders of projects whose own file counts in full and may be a program. */
  readonly trusted_projects?: readonly string[] | undefined;
}

/** For a `skillwright.config.ts`: gives what it was given, and lets the editor check it. */
export function defineConfiguration(configuration: ConfigurationFile): ConfigurationFile {
  return configuration;
}
