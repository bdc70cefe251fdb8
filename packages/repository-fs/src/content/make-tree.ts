import { hash as digestOf } from "node:crypto";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type ByteSource,
  checkAborted,
  type Diagnostic,
  type ManifestFile,
  SKILL_LINKS,
  SkillError,
  type SkillManifest,
  skillManifest,
  untilAborted,
} from "@skillwright/core";
import { changeMode, makeDirectory } from "../files/file-system.js";
import { forEachLimited } from "../files/for-each-limited.js";
import { LARGE_BYTES, SourceFailure, writeContent } from "../files/write-content.js";
import { type WholeFile, writeWhole } from "../files/write-whole.js";

const PARALLEL = 8;
const WRITTEN_AT_ONCE = 32;
/** Until it is whole. */
const FIRST_MODE = 0o600;

/**
 * Writes the manifest's files and the links into a new directory, all read-only, and checks every byte.
 * @throws SkillError `DIGEST_MISMATCH`, `SKILL_INVALID`, `ABORTED`.
 */
export async function makeTree(
  directory: string,
  manifest: SkillManifest,
  open: (path: string) => Promise<ByteSource>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folders = foldersOf(manifest);
  await makeDirectory(directory);
  for (const folder of folders) await makeDirectory(join(directory, folder));
  // A file that fails ends the others, also one whose source would hang.
  const failed = new AbortController();
  const ending = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const waiting: WholeFile[] = [];
  await forEachLimited(manifest.files, PARALLEL, async (file) => {
    try {
      const content = await opened(file.path, open, ending);
      const target = join(directory, file.path);
      if (!isSmall(content)) return await writeChecked(target, file, content, ending);
      waiting.push(checkedWhole(target, file, content));
      if (waiting.length >= WRITTEN_AT_ONCE) await writeWhole(waiting.splice(0));
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  await writeWhole(waiting);
  const own = ownNames(manifest);
  for (const [name, target] of Object.entries(SKILL_LINKS))
    if (!own.has(name)) await symlink(target, join(directory, name));
  for (const folder of [...folders, ""]) await changeMode(join(directory, folder), 0o555);
}

/** Which links a skill does without, because it has something of that name itself. */
export function linkDiagnostics(manifest: SkillManifest): Diagnostic[] {
  const own = ownNames(manifest);
  return Object.keys(SKILL_LINKS)
    .filter((name) => own.has(name))
    .map((name) => ({
      code: "skill-link.kept",
      severity: "warning",
      message: `The skill brings its own "${name}", so that name does not lead to the workspace's.`,
      hint: "Rename it in the skill, or use the paths in OUTPUT_DIR, WORK_DIR and INPUTS_DIR.",
      path: name,
    }));
}

/**
 * The manifest in its own order, as it may be written to disk.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`, `SKILL_INVALID`.
 */
export function writableManifest(manifest: SkillManifest): SkillManifest {
  const checked = skillManifest(manifest.files);
  const folders = new Set(foldersOf(checked));
  const both = checked.files.find(({ path }) => folders.has(path));
  if (both)
    throw new SkillError(
      "SKILL_INVALID",
      `"${both.path}" is a file and a folder in the manifest. Rename one.`,
    );
  return checked;
}

function isSmall(content: ByteSource): content is Uint8Array {
  return content instanceof Uint8Array && content.byteLength <= LARGE_BYTES;
}

function checkedWhole(
  target: string,
  { path, size, sha256, executable }: ManifestFile,
  bytes: Uint8Array,
): WholeFile {
  if (bytes.byteLength !== size || digestOf("sha256", bytes, "hex") !== sha256) throw mismatch(path);
  return { path: target, bytes, finalMode: finalMode(executable) };
}

function finalMode(executable: boolean): number {
  return executable ? 0o555 : 0o444;
}

async function writeChecked(
  target: string,
  { path, size, sha256, executable }: ManifestFile,
  content: ByteSource,
  signal: AbortSignal,
): Promise<void> {
  let left = size;
  const written = await writeContent(target, content, {
    signal,
    mode: FIRST_MODE,
    finalMode: finalMode(executable),
    onPiece: (bytes) => {
      left -= bytes;
      if (left < 0) throw mismatch(path);
    },
  });
  if (written.size !== size || written.sha256 !== sha256) throw mismatch(path);
}

async function opened(
  path: string,
  open: (path: string) => Promise<ByteSource>,
  signal: AbortSignal,
): Promise<ByteSource> {
  checkAborted(signal);
  try {
    return await untilAborted(open(path), signal);
  } catch (error) {
    throw signal.aborted && SkillError.is(error, "ABORTED") ? error : new SourceFailure(error);
  }
}

/** Outer ones first. */
function foldersOf({ files }: SkillManifest): string[] {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.add(folder);
  return [...folders].sort((a, b) => a.length - b.length);
}

function ownNames({ files }: SkillManifest): ReadonlySet<string> {
  return new Set(files.map(({ path }) => path.split("/", 1)[0] ?? path));
}

function mismatch(path: string): SkillError {
  const message = `The bytes of "${path}" are not those of the manifest. Load the skill again and repeat.`;
  return new SkillError("DIGEST_MISMATCH", message, { details: { path } });
}
