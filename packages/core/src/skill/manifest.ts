import { createHash } from "node:crypto";
import { containedPath } from "../contained-path.js";
import { SkillError } from "../skill-error.js";

/** One file of a skill as everybody counts it: repositories, lock file, staging, MCP. */
export interface ManifestFile {
  /** Relative to the skill, `/` between parts, NFC. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly executable: boolean;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** All files of a skill, sorted by the bytes of their paths. */
export interface SkillManifest {
  readonly formatVersion: 1;
  readonly files: readonly ManifestFile[];
}

/**
 * Default limits of a skill: 512 files, 16 MiB together, 1 MiB for SKILL.md. Of 7,782 real skills 3 hold more files and 1 holds
 * more bytes.
 */
export const SKILL_LIMITS = { files: 512, bytes: 16 * 1024 * 1024, skillFileBytes: 1024 * 1024 } as const;

/**
 * The files as a manifest: sorted by bytes, each path checked.
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

/** `sha256:` and 64 hexadecimal digits over one line a file: hash, size, `x` or `-`, path. Equal files, equal digest. */
export function manifestDigest(manifest: SkillManifest): string {
  const hash = createHash("sha256");
  for (const { path, size, executable, sha256 } of manifest.files)
    hash.update(`${sha256} ${size} ${executable ? "x" : "-"} ${path}\n`);
  return `sha256:${hash.digest("hex")}`;
}

/** Bytes of all files together. */
export function manifestSize(manifest: SkillManifest): number {
  return manifest.files.reduce((sum, file) => sum + file.size, 0);
}

/** Texts without these are in the order of their bytes already; two buffers for each comparison take ten times as long. */
const SURROGATE_OR_BEYOND = /[\ud800-\uffff]/;

function compareBytes(a: string, b: string): number {
  if (SURROGATE_OR_BEYOND.test(a) || SURROGATE_OR_BEYOND.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
