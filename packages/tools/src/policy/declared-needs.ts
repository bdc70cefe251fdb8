import { type JsonObject, skillFields } from "@skillwright/core";

/** Requirements declared in a skill's header for the place where its commands run. */
export interface DeclaredNeeds {
  /** Programs that must all be present. */
  readonly programs: readonly string[];
  /** Programs of which one must be present. */
  readonly anyProgram: readonly string[];
  readonly variables: readonly string[];
  /** Operating systems by Node's names; empty means all. */
  readonly systems: readonly string[];
}

/** `undefined` where it declares nothing, or sets `always`. */
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
