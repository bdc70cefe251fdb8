import type { Diagnostic } from "../diagnostic.js";
import type { ArchiveEntry } from "./archive-entry.js";

/**
 * The path an entry's name stands for: without a `./` in front and the `/` that marks folders, in Unicode form NFC.
 * Empty for the folder that everything is in.
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
    message: `The name "${path}" is written with separate accents, as macOS does; it is unpacked in Unicode form NFC.`,
    hint: "Nothing has to be done; references to the file find it under the NFC name.",
    path,
  };
}
