import type { CheckedAgentConfig } from "@skillwright/config";
import type { CallOptions, SkillCatalog } from "@skillwright/core";
import { injector } from "@skillwright/injector";

/** Diagnostics of an overview that had no space for a skill or its description. */
const OVER_BUDGET = new Set(["overview.cut", "overview.names-only", "overview.descriptions-shortened"]);

/**
 * True where the model gets `skill_search`: as configured, otherwise where the current overview cannot hold all skills.
 * Determined once, since the tools of an agent never change. False where the catalogue cannot be read; the first turn
 * reports the reason.
 */
export async function searchOffered(
  { skillTools, overview }: CheckedAgentConfig,
  catalog: SkillCatalog,
  {
    signal,
    countTokens,
  }: CallOptions & { readonly countTokens?: ((text: string) => number) | undefined } = {},
): Promise<boolean> {
  if (skillTools.search !== undefined) return skillTools.search;
  // If the skills cannot be listed now, the first turn fails and reports why.
  const snapshot = await catalog.snapshot({ signal }).catch(() => undefined);
  if (!snapshot) return false;
  return injector({ ...overview, countTokens })
    .overview({ snapshot })
    .diagnostics.some(({ code }) => OVER_BUDGET.has(code));
}
