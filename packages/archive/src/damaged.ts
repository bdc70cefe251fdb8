import { SkillError } from "@skillwright/core";

/** An archive that is not what its format asks for. Lets a `SkillError` through that was caught on the way. */
export function damaged(what: string, cause?: unknown): SkillError {
  if (SkillError.is(cause)) return cause;
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  const message = `${what}${reason}. The archive is damaged or made to mislead: pack the skill again.`;
  return new SkillError("SKILL_INVALID", message, cause === undefined ? {} : { cause });
}

/** A name as it may stand in a message, whatever is in it. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
