import type { CatalogSkill, RunLimits, Secret } from "@skillwright/core";

/** The application's settings for every run. */
export interface RunRules {
  /** True where a run may request the network. */
  readonly allowNetwork: boolean;
  /** Limits for runs that set none of their own. */
  readonly limits: RunLimits | undefined;
  readonly environment: SkillEnvironment | undefined;
}

/**
 * The application's variables for a skill's commands, such as the keys that the skill's header asks for. Variables of
 * the call override them. A name or value that no run may have is left out, with a diagnostic.
 */
export type SkillEnvironment = (
  skill: CatalogSkill,
) => Readonly<Record<string, string | Secret>> | Promise<Readonly<Record<string, string | Secret>>>;
