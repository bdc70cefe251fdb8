import type { CallOptions, SkillCatalog } from "@skillwright/core";
import { injector } from "@skillwright/injector";
import type { CheckedAgentConfig } from "./agent-config.js";

/** What an overview tells when a skill, or what is said of it, had no room in it. */
const OVER_BUDGET = new Set(["overview.cut", "overview.names-only", "overview.descriptions-shortened"]);

/**
 * Whether the model gets `skill_search`: as the configuration says, else where the overview of the skills that are there now
 * does not hold all of them. Looked at once, since the tools of an agent stay what they are. Where the catalogue cannot be
 * read it is not offered; the first turn tells why.
 */
export async function searchOffered(
  { skillTools, overview }: CheckedAgentConfig,
  catalog: SkillCatalog,
  options: CallOptions = {},
): Promise<boolean> {
  if (skillTools.search !== undefined) return skillTools.search;
  const snapshot = await catalog.snapshot(options).catch(() => undefined);
  if (!snapshot) return false;
  return injector(overview)
    .overview({ snapshot })
    .diagnostics.some(({ code }) => OVER_BUDGET.has(code));
}
