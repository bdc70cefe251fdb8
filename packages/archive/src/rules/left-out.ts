import { foldedPath } from "@skillwright/core/adapter";

const VERSION_CONTROL = new Set([".git", ".hg", ".svn", ".jj", ".bzr", "cvs"]);

/**
 * Explains why a path is not unpacked: macOS metadata, or version control directories, whose settings can name programs
 * to run. The text fits the end of a sentence. Returns `undefined` for a file of the skill.
 */
export function leftOutReason(path: string): string | undefined {
  const parts = foldedPath(path).split("/");
  const last = parts.at(-1) ?? "";
  if (parts[0] === "__macosx" || last.startsWith("._") || last === ".ds_store")
    return "is a file that macOS adds";
  if (parts.some((part) => VERSION_CONTROL.has(part))) return "belongs to version control";
  return undefined;
}
