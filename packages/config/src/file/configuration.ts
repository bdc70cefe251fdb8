import type { Diagnostic, JsonObject, Secret } from "@skillwright/core";
import type { SkillSettings } from "@skillwright/skillbox";
import type { SkillPlaceKind } from "./configuration-file.js";

/** The effective configuration, merged from all sources. */
export interface Configuration {
  readonly skills: {
    /** Defaults to true. False disables overview and skill tools. */
    readonly enabled: boolean;
    /** The default places to search; missing means all. */
    readonly sources?: readonly SkillPlaceKind[];
    /** Highest precedence first: the project's before the home's. */
    readonly repositories: readonly ConfiguredRepository[];
    /** Folders to which links in folders of skills may lead: absolute, or from the home directory with `~/`. */
    readonly linkRoots: readonly string[];
    /** Defaults to 4,000. */
    readonly maxIndexChars: number;
    /** Defaults to 32. */
    readonly maxListedSkills: number;
    /** The only allowed skills; missing allows all, empty allows none. */
    readonly allow?: readonly string[];
    /**
     * For `eligible` of skillbox, and with `skillVariables` for `environment` of the workspaces. Texts from variables
     * are secrets.
     */
    readonly settings: SkillSettings;
  };
  /** Fields of `AgentConfig`, each valid; those of the first file that has a field are used. `checkAgentConfig` checks the whole. */
  readonly agent: JsonObject;
  /** Addresses for `openStores`, independent of the working directory. */
  readonly stores: {
    readonly records?: string;
    readonly artifacts?: string;
    /** `keep` of `agentServer`. */
    readonly keep?: ConfiguredRetention;
  };
  /** Names of tools that the agent has in addition to Skillwright's own. */
  readonly tools?: readonly string[];
  /** Defaults to 100; 0 means never. */
  readonly agentPromptReinjectEvery: number;
}

/** Milliseconds for which a server keeps conversations and parts of them; `false` until somebody deletes them. */
export interface ConfiguredRetention {
  readonly eventsMs?: number | false | undefined;
  readonly outputsMs?: number | false | undefined;
  readonly conversationsMs?: number | false | undefined;
}

export interface ConfiguredRepository {
  /** Name of its source in the catalogue. */
  readonly name: string;
  /** For `openSkillSource`, with `cwd` as the base of relative folders. */
  readonly source: string;
  /** Absolute folder of the file that names it. */
  readonly cwd: string;
  readonly trusted: boolean;
  /** Variables of an MCP server that is started. Texts from variables are secrets. */
  readonly environment?: Readonly<Record<string, string | Secret>>;
}

export interface ReadConfigurationFile {
  /** Absolute. */
  readonly path: string;
  readonly place: "named" | "project" | "home";
  /** False for a project's file, of which only harmless settings are used, unless the home file trusts the project. */
  readonly trusted: boolean;
}

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  /** The files that were read, highest precedence first. */
  readonly files: readonly ReadConfigurationFile[];
  /** True where the home file lists the working directory itself under `trusted_projects`. */
  readonly trustsProject: boolean;
  /**
   * What was ignored in them, and why: `configuration.untrusted`, `configuration.not-run`, `configuration.second-file`,
   * `configuration.variable-unset`, `configuration.unused`.
   */
  readonly diagnostics: readonly Diagnostic[];
}
