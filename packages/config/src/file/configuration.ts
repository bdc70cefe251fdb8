import type { Diagnostic, SkillSettings } from "@skillwright/core";
import type { SkillPlaceKind } from "./configuration-file.js";

/** What is in force, from everything that says something. */
export interface Configuration {
  readonly skills: {
    /** True by default. False: no overview and no skill tools. */
    readonly enabled: boolean;
    /** Which places count; missing is all. */
    readonly sources?: readonly SkillPlaceKind[];
    /** Strongest first: the project's before the home's. */
    readonly repositories: readonly ConfiguredRepository[];
    /** 4,000 by default. */
    readonly maxIndexChars: number;
    /** 32 by default. */
    readonly maxListedSkills: number;
    /** The only skills that are wanted; missing is all, empty is none. */
    readonly allow?: readonly string[];
    /** For `eligible` of skillbox, and with `skillVariables` for `environment` of the workspaces. Texts from variables are secrets. */
    readonly settings: SkillSettings;
  };
  /** Names of tools that the agent has beside Skillwright's own. */
  readonly tools?: readonly string[];
  /** 100 by default, 0 is never. */
  readonly agentPromptReinjectEvery: number;
}

export interface ConfiguredRepository {
  /** As its source is called in the catalogue. */
  readonly name: string;
  /** For `openSkillSource`, with `cwd` as what a folder is relative to. */
  readonly source: string;
  /** Absolute folder of the file that names it. */
  readonly cwd: string;
  readonly trusted: boolean;
}

export interface ReadConfigurationFile {
  /** Absolute. */
  readonly path: string;
  readonly place: "named" | "project" | "home";
  /** False for a project's file, of which only harmless settings count, unless the home's file trusts the project. */
  readonly trusted: boolean;
}

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  /** That were read, strongest first. */
  readonly files: readonly ReadConfigurationFile[];
  /** Whether the home's file has the working directory itself under `trusted_projects`. */
  readonly trustsProject: boolean;
  /** What of them does not count, and why: `configuration.untrusted`, `configuration.not-run`, `configuration.second-file`,
   * `configuration.variable-unset`. */
  readonly diagnostics: readonly Diagnostic[];
}
