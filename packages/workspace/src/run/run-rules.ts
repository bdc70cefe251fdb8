import type { CatalogSkill, RunLimits, Secret } from "@skillwright/core";

/** What the application decides for every run. */
export interface RunRules {
  /** A run may ask for the network. */
  readonly allowNetwork: boolean;
  /** In force where a run sets none of its own. */
  readonly limits: RunLimits | undefined;
  readonly environment: SkillEnvironment | undefined;
}

/**
 * The application's variables for a skill's commands, such as the keys that the skill's header asks for. Those of the call
 * itself win. A name or value that no run may have is left out, with a diagnostic.
 */
export type SkillEnvironment = (
  skill: CatalogSkill,
) => Readonly<Record<string, string | Secret>> | Promise<Readonly<Record<string, string | Secret>>>;
