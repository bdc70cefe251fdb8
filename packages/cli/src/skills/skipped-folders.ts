import { skillRules } from "@skillwright/core/adapter";

/** Folders that are never searched, because their content is not the author's: version control and installed packages. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ...skillRules().leaveOut,
]);
