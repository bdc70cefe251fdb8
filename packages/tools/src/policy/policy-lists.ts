import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { SkillError } from "@skillwright/core";

export interface PolicyLists {
  /** `undefined` where every program that is not denied may run. */
  readonly allowed: readonly string[] | undefined;
  readonly denied: readonly string[];
}

/** The lists without duplicates. @throws SkillError `CONFIG_INVALID`. */
export function policyLists(options: {
  readonly allowed?: readonly string[] | undefined;
  readonly denied?: readonly string[] | undefined;
}): PolicyLists {
  const { allowed, denied } = options;
  if (!allowed && !denied)
    throw new SkillError("CONFIG_INVALID", "commandPolicy: give `allowed`, `denied` or both.");
  return {
    allowed: allowed && checked("allowed", allowed),
    denied: checked("denied", denied ?? []),
  };
}

function checked(list: string, entries: readonly string[]): readonly string[] {
  // The loop below would read a text letter by letter.
  if (!Array.isArray(entries))
    throw new SkillError(
      "CONFIG_INVALID",
      `commandPolicy: \`${list}\` is ${JSON.stringify(entries)} and no list. Give a list of programs, such as ["curl"].`,
    );
  for (const entry of entries)
    if (typeof entry !== "string" || !(/^[^\s]+$/.test(entry) || isFileWithBlanks(entry)))
      throw new SkillError(
        "CONFIG_INVALID",
        `commandPolicy: ${JSON.stringify(entry)} in \`${list}\` is not a program. Give its name, or its path without arguments; a path with spaces must be the absolute path of a file on this machine.`,
      );
  return [...new Set(entries)];
}

/**
 * An entry with arguments would look the same; only an existing file proves otherwise. A line break would break up the
 * text shown to the model.
 */
function isFileWithBlanks(entry: string): boolean {
  return !/[^\S ]/.test(entry) && isAbsolute(entry) && existsSync(entry);
}
