import { createHash } from "node:crypto";
import { containedPath } from "../contained-path.js";
import { SkillError } from "../skill-error.js";

/** One file of a skill, in the form used by repositories, lock file, staging and MCP. */
export interface ManifestFile {
  /** Relative to the skill, with `/` between parts, in Unicode form NFC. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  readonly executable: boolean;
  /** SHA-256 as 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** All files of a skill, sorted by the bytes of their paths. */
export interface SkillManifest {
  readonly formatVersion: 1;
  readonly files: readonly ManifestFile[];
}

/**
 * Default limits of a skill: 512 files, 16 MiB in total, 1 MiB for SKILL.md. Of 7,782 real skills, 3 have more files
 * and 1 has more bytes.
 */
export const SKILL_LIMITS = { files: 512, bytes: 16 * 1024 * 1024, skillFileBytes: 1024 * 1024 } as const;

/**
 * Creates the manifest: files sorted by path bytes, each path checked.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for a bad path; `SKILL_INVALID` for a path given twice.
 */
export function skillManifest(files: Iterable<ManifestFile>): SkillManifest {
  const sorted = [...files].sort((a, b) => compareBytes(a.path, b.path));
  let previous: string | undefined;
  for (const { path } of sorted) {
    containedPath(path);
    if (path === previous)
      throw new SkillError("SKILL_INVALID", `The file "${path}" is in the skill twice. Keep one.`);
    previous = path;
  }
  return { formatVersion: 1, files: sorted };
}

/**
 * Returns `sha256:` and 64 hexadecimal digits, computed over one line per file: hash, size, `x` or `-`, path. Equal
 * files give an equal digest.
 */
export function manifestDigest(manifest: SkillManifest): string {
  const hash = createHash("sha256");
  for (const { path, size, executable, sha256 } of manifest.files)
    hash.update(`${sha256} ${size} ${executable ? "x" : "-"} ${path}\n`);
  return `sha256:${hash.digest("hex")}`;
}

/** Total bytes of all files. */
export function manifestSize(manifest: SkillManifest): number {
  return manifest.files.reduce((sum, file) => sum + file.size, 0);
}

/**
 * Texts without these characters sort by code unit as by byte. Two buffers per comparison would take ten times as long.
 */
const SURROGATE_OR_BEYOND = /[\ud800-\uffff]/;

function compareBytes(a: string, b: string): number {
  if (SURROGATE_OR_BEYOND.test(a) || SURROGATE_OR_BEYOND.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
