import type { JsonObject } from "@skillwright/core";
import type { ConfiguredRetention } from "./configuration.js";

/** Places that are searched for skills by default. */
export type SkillPlaceKind = (typeof SKILL_PLACE_KINDS)[number];

export const SKILL_PLACE_KINDS = ["project", "user", "plugin", "package", "bundled"] as const;

/** A text, or the name of the host's environment variable that contains it, so that no file contains it. */
export type ConfiguredText = string | { readonly from: string };

/** Settings of one skill. In a file that came with a project, only `enabled` is used. */
export interface ConfiguredSkill {
  /** False disables the skill. */
  readonly enabled?: boolean | undefined;
  /** Variables for runs of this skill only. */
  readonly env?: Readonly<Record<string, ConfiguredText>> | undefined;
  /** Value of the variable that the skill names as `primaryEnv`. */
  readonly api_key?: ConfiguredText | undefined;
  /** Values for runs of this skill only, as JSON in their variable `SKILL_CONFIG`. */
  readonly config?: JsonObject | undefined;
}

/** A source of skills with settings. */
export interface ConfiguredSource {
  readonly source: string;
  /** Defaults to true in a trusted file, except for an MCP server. */
  readonly trusted?: boolean | undefined;
  /** Variables of an MCP server that is started. */
  readonly env?: Readonly<Record<string, ConfiguredText>> | undefined;
}

/** `skillwright.config.ts` or `skillwright.config.json`. Every field is optional. */
export interface ConfigurationFile {
  readonly $schema?: string | undefined;
  readonly skills?:
    | {
        /** False disables overview and skill tools. Defaults to true. */
        readonly enabled?: boolean | undefined;
        /** Which default places are searched. Defaults to all. */
        readonly sources?: readonly SkillPlaceKind[] | undefined;
        /** Additional sources by name, highest precedence first: a folder, an archive such as `one.skill`, `s3://…`, `git+https://…`, an https URL, `mcp+stdio:…`, `mcp+https://…`, `sqlite:…`, `postgres://…`. */
        readonly repositories?: Readonly<Record<string, string | ConfiguredSource>> | undefined;
        /** Folders to which links in folders of skills may lead, besides the project's own; `~/` is the home directory. Defaults to none. */
        readonly link_roots?: readonly string[] | undefined;
        /** Maximum characters of the overview. Defaults to 4,000. */
        readonly max_index_chars?: number | undefined;
        /** Maximum number of skills in the overview. Defaults to 32. */
        readonly max_listed_skills?: number | undefined;
        /** The only allowed skills. Absent allows all, empty allows none. */
        readonly allow?: readonly string[] | undefined;
        /** The only allowed bundled skills, by name or key. Absent allows all, empty allows none. */
        readonly allow_bundled?: readonly string[] | undefined;
        /** Host variables that are passed to skills that declare them. Defaults to none. */
        readonly pass_env?: readonly string[] | undefined;
        /** Values for skills that require something to be enabled in the configuration. */
        readonly values?: JsonObject | undefined;
        /** Keyed by the key that a skill declares, otherwise by its name. */
        readonly entries?: Readonly<Record<string, ConfiguredSkill>> | undefined;
      }
    | undefined;
  /**
   * Fields of `AgentConfig` of `@skillwright/agent`, under their names there: `workspaces`, `skillTools`, `loads`,
   * `overview`, `compaction`, ... All are optional.
   */
  readonly agent?: JsonObject | undefined;
  /** Where agents keep what outlives their process. In a file that came with a project, not used. */
  readonly stores?:
    | {
        /** Conversations, turns, approvals and workspaces: a folder, `sqlite:path`, `redis://host:port`, `postgres://…`. Defaults to the data folder. */
        readonly records?: ConfiguredText | undefined;
        /** Saved outputs: a folder, `s3://…`, `sqlite:path`, `postgres://…`. Defaults to the data folder. */
        readonly artifacts?: ConfiguredText | undefined;
        /** How long a server keeps conversations and parts of them: `keep` of `agentServer`. */
        readonly keep?: ConfiguredRetention | undefined;
      }
    | undefined;
  /** Number of user turns after which the agent's profile is injected again. Defaults to 100; 0 means never. */
  readonly agent_prompt_reinject_every?: number | undefined;
  /** Alternative location of the same setting. */
  readonly gateway?: { readonly agent_prompt_reinject_every?: number | undefined } | undefined;
  /**
   * Names of tools that the agent has in addition to Skillwright's own: `doctor` does not warn about references to
   * them.
   */
  readonly tools?: readonly string[] | undefined;
  /** Only in the home file: project folders whose own file is used completely and may be a program. */
  readonly trusted_projects?: readonly string[] | undefined;
}

/** For a `skillwright.config.ts`: returns its argument, so that the editor checks its type. */
export function defineConfiguration(configuration: ConfigurationFile): ConfigurationFile {
  return configuration;
}
