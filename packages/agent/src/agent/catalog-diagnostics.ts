import type { CatalogSnapshot, Diagnostic } from "@skillwright/core";

/**
 * Diagnostics of the catalogue for people: broken skills, and the snapshot's own diagnostics from `warning` up. With
 * `before`, only those that the earlier snapshot did not have.
 */
export function catalogDiagnostics(
  { broken, diagnostics }: CatalogSnapshot,
  before?: CatalogSnapshot,
): readonly Diagnostic[] {
  const known = new Set(before ? catalogDiagnostics(before).map(({ message }) => message) : []);
  return [...broken.map(skipped), ...diagnostics]
    .filter(({ severity }) => severity !== "info")
    .filter(({ message }) => !known.has(message));
}

function skipped({ path, source, diagnostics: [reason] }: CatalogSnapshot["broken"][number]): Diagnostic {
  return {
    code: "skill.broken",
    severity: "warning",
    message: `The skill ${path} of ${source} is skipped. ${reason?.message ?? "Its SKILL.md cannot be read."}`,
    hint: reason?.hint ?? "Run `skillwright validate` on it.",
    path,
  };
}
