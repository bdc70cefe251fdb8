import { type RunInput, SkillError } from "@skillwright/core";
import type { PathContext } from "../path/locate-path.js";
import { type InputSource, inputSource } from "./input-source.js";
import { inputTarget } from "./input-target.js";

const MAX_INPUTS = 64;

export interface PlannedInput {
  readonly from: string;
  readonly source: InputSource;
  readonly target: string;
  readonly linkWanted: boolean;
  readonly pin: boolean;
}

/**
 * Validates the declared inputs without opening anything.
 * @throws SkillError `INPUT_INVALID` for bad sources, an unknown mode and two inputs with one target or one
 * below the other, `LIMIT_EXCEEDED` above 64, `PATH_OUTSIDE`, `PATH_INVALID` for targets.
 */
export function planInputs(inputs: readonly RunInput[], context: PathContext): readonly PlannedInput[] {
  if (inputs.length > MAX_INPUTS)
    throw new SkillError(
      "LIMIT_EXCEEDED",
      `${inputs.length} inputs are too many; at most ${MAX_INPUTS} are allowed. Give a directory instead of its files.`,
    );
  const planned: PlannedInput[] = [];
  for (const { from, to, mode, pin = false } of inputs) {
    if (mode !== undefined && mode !== "copy" && mode !== "link")
      throw new SkillError("INPUT_INVALID", `The input ${from} has a mode other than "copy" and "link".`);
    const source = inputSource(from);
    const target = inputTarget(to, source, context);
    const other = planned.find(
      (one) => isSameOrBelow(one.target, target) || isSameOrBelow(target, one.target),
    );
    if (other) throw sameTarget(other, from, target);
    planned.push({ from, source, target, linkWanted: mode === "link", pin });
  }
  return planned;
}

function isSameOrBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

function sameTarget(other: PlannedInput, from: string, target: string): SkillError {
  const rule =
    other.target === target
      ? `both go to ${target}`
      : `go to ${other.target} and ${target}, one of which is below the other`;
  return new SkillError(
    "INPUT_INVALID",
    `The inputs ${other.from} and ${from} ${rule}. Give one of them another \`to\`.`,
  );
}
