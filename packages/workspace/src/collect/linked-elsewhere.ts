import type { Diagnostic } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";

/**
 * Detects files that have another hard link outside of the listing. Without isolation a command can link any file of
 * its user into the workspace, and its content would be published as an output.
 */
export function linkedElsewhere(files: Iterable<FileStat>): (file: FileStat) => boolean {
  const names = new Map<string, number>();
  for (const { hardLinks } of files)
    if (hardLinks) names.set(hardLinks.file, (names.get(hardLinks.file) ?? 0) + 1);
  return ({ hardLinks }) => hardLinks !== undefined && (names.get(hardLinks.file) ?? 0) < hardLinks.count;
}

export function notOnlyHere({ path }: FileStat): Diagnostic {
  return {
    code: "output.hard-link-skipped",
    severity: "warning",
    message: `${path} is a hard link to a file that is not among the outputs, so it is not collected.`,
    hint: "Copy the content into a file of its own below out/.",
    path,
  };
}
