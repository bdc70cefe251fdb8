import type { Diagnostic } from "@skillwright/core";
import type { ArchiveEntry } from "@skillwright/core/adapter";

/**
 * Converts an entry's name to a path: removes a leading `./` and the trailing `/` of directories, and normalizes to
 * Unicode form NFC. Empty for the top directory itself.
 */
export function entryPath({ name, kind }: ArchiveEntry): {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
} {
  const bare = (kind === "folder" ? name.replace(/\/$/, "") : name).replace(/^(?:\.\/)+/, "");
  const path = bare === "." && kind === "folder" ? "" : bare.normalize("NFC");
  const renamed = path !== "" && path !== bare;
  return { path, diagnostics: renamed ? [normalised(path)] : [] };
}

function normalised(path: string): Diagnostic {
  return {
    code: "archive.name-normalised",
    severity: "info",
    message: `The name "${path}" is written with combining accents, as on macOS; it is unpacked in Unicode form NFC.`,
    hint: "Nothing needs to be done; references to the file resolve to the NFC name.",
    path,
  };
}
