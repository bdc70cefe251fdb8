import { SkillError } from "@skillwright/core";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";

/** An error as a person reads it: what happened and what to do; the trace only with DEBUG, or where it is our own bug. */
export function showFailure(screen: Screen, error: unknown): void {
  const expected = SkillError.is(error);
  const text = expected ? error.message : ((error as Error | undefined)?.stack ?? String(error));
  screen.prose(screen.colours.red(`  ✗ ${printable(text)}`));
}
