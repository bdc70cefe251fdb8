import { SkillError } from "@skillwright/core";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";

/** Shows an error to a person: what happened and what to do; the stack trace only with DEBUG, or for a bug of ours. */
export function showFailure(screen: Screen, error: unknown): void {
  const expected = SkillError.is(error);
  const text = expected ? error.message : ((error as Error | undefined)?.stack ?? String(error));
  screen.prose(screen.colours.red(`  ✗ ${printable(text)}`));
}
