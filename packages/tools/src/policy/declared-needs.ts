import { type JsonObject, skillFields } from "@skillwright/core";

/** What a skill's header says it needs where its commands run. */
export interface DeclaredNeeds {
  /** All of them. */
  readonly programs: readonly string[];
  /** One of them. */
  readonly anyProgram: readonly string[];
  readonly variables: readonly string[];
  /** Names as Node has them; none means all. */
  readonly systems: readonly string[];
}

/** `undefined` where it declares nothing, or wants to be there whatever is missing (`always`). */
export function declaredNeeds(frontmatter: JsonObject): DeclaredNeeds | undefined {
  const { openclaw } = skillFields(frontmatter);
  if (!openclaw || openclaw.always) return undefined;
  const required = openclaw.envVars.filter((variable) => variable.required).map(({ name }) => name);
  const needs: DeclaredNeeds = {
    programs: [...new Set(openclaw.bins)],
    anyProgram: [...new Set(openclaw.anyBins)],
    variables: [...new Set([...openclaw.env, ...required])],
    systems: openclaw.os,
  };
  return Object.values(needs).some((list) => list.length > 0) ? needs : undefined;
}
