import { SkillError } from "../skill-error.js";
import type { ArtifactScope } from "./artifact-store.js";

const MAX_PART_LENGTH = 128;
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/** A lone surrogate has no UTF-8 form: a store would merge two scopes that differ only in theirs. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns the scope unchanged.
 * @throws SkillError `INPUT_INVALID` naming the part that is empty, too long, or has control characters or a lone
 * surrogate.
 */
export function checkArtifactScope<Scope extends Partial<ArtifactScope>>(scope: Scope): Scope {
  for (const part of ["app", "user", "session"] as const) {
    const value: unknown = scope[part];
    if (value === undefined && !(part in scope)) continue;
    const fits =
      typeof value === "string" &&
      value.length >= 1 &&
      value.length <= MAX_PART_LENGTH &&
      !CONTROL_CHARACTER.test(value) &&
      !LONE_SURROGATE.test(value);
    if (!fits)
      throw new SkillError(
        "INPUT_INVALID",
        `The scope's "${part}" must be 1 to ${MAX_PART_LENGTH} characters, without control characters and lone surrogates.`,
        { details: { field: part } },
      );
  }
  return scope;
}
