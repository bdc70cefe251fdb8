import { SkillError } from "@skillwright/core";

/**
 * Checks options that mean nothing without another one: each pair names an option and the one that it needs.
 * @throws SkillError `INPUT_INVALID` for the first pair of which only the first option was given.
 */
export function checkTogether<Flags extends object>(
  flags: Flags,
  pairs: readonly (readonly [option: keyof Flags & string, needed: keyof Flags & string])[],
): void {
  for (const [option, needed] of pairs)
    if (flags[option] !== undefined && flags[needed] === undefined)
      throw new SkillError(
        "INPUT_INVALID",
        `${written(option)} works only together with ${written(needed)}. Give both or neither.`,
      );
}

/** Returns the option as it is written on the command line: `--public-url` for `publicUrl`. */
function written(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
