import type { Diagnostic } from "@skillwright/core";
import type { PlannedInput } from "./plan-inputs.js";

/** Reports targets that differ only by case: here they are two files, on other file systems one. */
export function alikeInputs(inputs: readonly PlannedInput[]): readonly Diagnostic[] {
  const first = new Map<string, string>();
  return inputs.flatMap(({ target }) => {
    const folded = target.toUpperCase().toLowerCase();
    const other = first.get(folded);
    if (other !== undefined) return [alike(other, target)];
    first.set(folded, target);
    return [];
  });
}

function alike(other: string, target: string): Diagnostic {
  return {
    code: "input.alike",
    severity: "warning",
    message: `The inputs ${other} and ${target} differ only by case.`,
    hint: "Give one of them another `to`, so that nobody takes one for the other.",
    path: target,
  };
}
