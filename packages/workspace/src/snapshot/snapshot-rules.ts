import { containedPath, SkillError } from "@skillwright/core";
import { type ArchiveEntry, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { damagedSnapshot } from "./damaged-snapshot.js";
import type { CheckedLimits } from "./snapshot-limits.js";

/** Checks what a snapshot may contain, header by header. */
export interface SnapshotRules {
  /**
   * Returns the path of a file to extract; `undefined` for a directory, which its files create.
   * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`; `INPUT_INVALID` for links, devices and similar entries, for
   * paths outside `work/` and `out/`, a path given twice or used as file and as directory; `LIMIT_EXCEEDED`.
   */
  admit(entry: ArchiveEntry): string | undefined;
  readonly files: number;
  readonly bytes: number;
}

/**
 * These rules differ from those of skill archives: a snapshot returns to where it came from, so names need not be
 * portable, version control directories are kept, and the limits are those of a workspace.
 */
export function snapshotRules(limits: CheckedLimits): SnapshotRules {
  const files = new Set<string>();
  const folders = new Set<string>();
  let bytes = 0;

  function admit({ name, kind, size }: ArchiveEntry): string | undefined {
    const shown = JSON.stringify(name.slice(0, 200));
    if (kind !== "file" && kind !== "folder")
      throw damagedSnapshot(`Its entry ${shown} is ${kind === "other" ? "of an unknown type" : `a ${kind}`}`);
    const path = containedPath(kind === "folder" ? name.replace(/\/$/, "") : name);
    checkPlace(path, kind, shown);
    if (kind === "folder") return undefined;
    if (files.has(path)) throw damagedSnapshot(`It contains the entry ${shown} twice`);
    const above = foldersAbove(path);
    if (folders.has(path) || above.some((folder) => files.has(folder)))
      throw damagedSnapshot(`Its entry ${shown} would have to be both a file and a folder`);
    if (!Number.isSafeInteger(size) || size < 0)
      throw damagedSnapshot(`Its entry ${shown} declares an impossible size`);
    files.add(path);
    for (const folder of above) folders.add(folder);
    bytes += size;
    if (files.size > limits.files) throw exceeded(limits.files, "files");
    if (bytes > limits.bytes) throw exceeded(limits.bytes, "bytes");
    return path;
  }

  return {
    admit,
    get files() {
      return files.size;
    },
    get bytes() {
      return bytes;
    },
  };
}

function checkPlace(path: string, kind: "file" | "folder", shown: string): void {
  const { work, out } = WORKSPACE_LAYOUT;
  const exists = path.startsWith(`${work}/`) || path.startsWith(`${out}/`);
  if (exists || (kind === "folder" && (path === work || path === out))) return;
  throw damagedSnapshot(`Its entry ${shown} is not below ${work}/ or ${out}/`);
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function exceeded(limit: number, of: "files" | "bytes"): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The snapshot has more than ${limit} ${of}. Raise the limit "${of}" of restore() if you trust its origin.`,
    { details: { limit: of, value: limit } },
  );
}
