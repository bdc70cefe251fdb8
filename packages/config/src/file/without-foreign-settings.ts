import type { Diagnostic } from "@skillwright/core";

/** Settings of OpenClaw's file that have no counterpart here, by their places in `skills`, and why none is needed. */
const FOREIGN: readonly (readonly [place: readonly [string, ...string[]], why: string])[] = [
  [["load", "watch"], "changes of skills are always seen"],
  [["load", "watchDebounceMs"], "changes of skills are always seen"],
  [["install"], "what a skill needs is shown and never installed by itself"],
];

/** Returns the file's content without settings of other clients that have no effect here; each is reported. */
export function withoutForeignSettings(
  given: unknown,
  path: string,
  tell: (diagnostic: Diagnostic) => void,
): unknown {
  const skills: unknown = Object(given).skills;
  if (typeof skills !== "object" || skills === null) return given;
  const found = FOREIGN.filter(([place]) => exists(skills, place));
  if (found.length === 0) return given;
  for (const [place, why] of found)
    tell({
      code: "configuration.no-effect",
      severity: "info",
      message: `skills.${place.join(".")} in ${path} has no effect: ${why}.`,
      hint: "Remove it if no other client reads this file.",
    });
  const rest = found.reduce<object>((left, [place]) => without(left, place), skills);
  return { ...Object(given), skills: rest };
}

function exists(value: object, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return Object.hasOwn(value, name) && exists(Object(Reflect.get(value, name)), rest);
}

/** Returns the value without that field, and without the fields that are then empty. */
function without(value: object, [name, ...rest]: readonly [string, ...string[]]): object {
  const { [name]: removed, ...others } = value as Readonly<Record<string, unknown>>;
  const [next, ...deeper] = rest;
  const inner = next === undefined ? {} : without(Object(removed), [next, ...deeper]);
  return Object.keys(inner).length > 0 ? { ...others, [name]: inner } : others;
}
