import type { Diagnostic } from "@skillwright/core";

const MOST_NAMES = 5;

/** Entries that an undo neither restores nor removes. */
export function notKept(path: string, left: readonly string[]): readonly Diagnostic[] {
  if (left.length === 0) return [];
  const names = left.slice(0, MOST_NAMES).join(", ");
  const more = left.length > MOST_NAMES ? ` and ${left.length - MOST_NAMES} more` : "";
  return [
    {
      code: "folder.not-kept",
      severity: "warning",
      message: `Not kept for an undo in ${path}: ${names}${more}. They are special files, are on another file system or cannot be read.`,
      hint: "Copy what you need of them elsewhere before commands change them.",
    },
  ];
}

/** A command that writes to such a file in place changes it under its other names as well. */
export function hardLinks(path: string, count: number): readonly Diagnostic[] {
  if (count === 0) return [];
  return [
    {
      code: "folder.hard-links",
      severity: "warning",
      message: `${count} file${count === 1 ? "" : "s"} in ${path} ${count === 1 ? "has" : "have"} another name outside of it. Commands can change the content under that name too, and an undo restores only the one in the folder.`,
      hint: "Replace hard links with copies where that matters.",
    },
  ];
}
