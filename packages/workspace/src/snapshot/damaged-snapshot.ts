import { SkillError } from "@skillwright/core";

/** @param problem A sentence without its full stop. */
export function damagedSnapshot(problem: string, cause?: unknown): SkillError {
  const message = `The snapshot cannot be restored. ${problem}. Give the bytes exactly as snapshot() returned them.`;
  return new SkillError("INPUT_INVALID", message, { cause });
}
