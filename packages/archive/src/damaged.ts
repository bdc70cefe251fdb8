import { SkillError } from "@skillwright/core";

/** The error for an archive that violates its format. A caught `SkillError` is returned unchanged. */
export function damaged(what: string, cause?: unknown): SkillError {
  if (SkillError.is(cause)) return cause;
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  const message = `${what}${reason}. The archive is damaged or was made to mislead. Pack the skill again.`;
  return new SkillError("SKILL_INVALID", message, cause === undefined ? {} : { cause });
}

/** Escapes a name for a message. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
