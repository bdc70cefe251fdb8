import { SkillError } from "@skillwright/core";

/**
 * Returns the text with one occurrence replaced, or all of them.
 * @throws SkillError `INPUT_INVALID` where the old text is empty or does not occur, and where it occurs more than once
 * but `all` is not set.
 */
export function patchedText(
  text: string,
  { old, replacement, all, path }: { old: string; replacement: string; all: boolean; path: string },
): string {
  const parts = old === "" ? [text] : text.split(old);
  const places = parts.length - 1;
  if (places === 0)
    throw new SkillError(
      "INPUT_INVALID",
      `old_text is not in ${path}. Read the file and give the text as it stands there.`,
    );
  if (places > 1 && !all)
    throw new SkillError(
      "INPUT_INVALID",
      `old_text is in ${path} ${places} times. Give more of the text around it, or replace_all: true for every place.`,
    );
  return parts.join(replacement);
}
