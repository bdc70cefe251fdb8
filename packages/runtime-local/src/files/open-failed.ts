import { SkillError } from "@skillwright/core";

/** The error of a path that could not be opened. The system's message names the descriptor that the path was opened below. */
export function openFailed(error: unknown, shown: string): SkillError {
  const message = error instanceof Error ? error.message : String(error);
  const reason = new Error(message.replace(/, open '.*'$/s, ""), { cause: error });
  return SkillError.from(reason, `Opening ${shown}`);
}
