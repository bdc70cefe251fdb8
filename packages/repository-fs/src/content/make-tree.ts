import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type Diagnostic,
  type ManifestFile,
  SkillError,
  type SkillManifest,
  type SkillReader,
  skillManifest,
} from "@skillwright/core";
import { eitherSignal, forEachLimited, SKILL_LINKS } from "@skillwright/core/adapter";
import { changeMode, lstat, makeDirectory } from "../files/file-system.js";
import { copyLocated } from "./copy-located.js";
import { writeGroup } from "./write-group.js";

/** Number of files fetched concurrently from a remote source, or twice as many. */
const GROUP_FILES = 8;
const GROUPS_AT_ONCE = 2;

/**
 * Writes the manifest's files and the links into a new directory, all read-only, and verifies every byte.
 * @throws SkillError `DIGEST_MISMATCH`, `SKILL_INVALID`, `ABORTED`.
 */
export async function makeTree(
  directory: string,
  manifest: SkillManifest,
  open: SkillReader,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folders = foldersOf(manifest);
  await makeDirectory(directory);
  for (const folder of folders) await makeDirectory(join(directory, folder));
  // A failed file aborts the others, even one whose source hangs.
  const failed = new AbortController();
  const ending = eitherSignal(signal, failed.signal);
  const source = { open, signal: ending, fail: () => failed.abort() };
  const others = await copyLocated(directory, manifest.files, open, ending);
  await forEachLimited(groupsOf(others), GROUPS_AT_ONCE, async (files) => {
    await writeGroup(directory, files, source);
  });
  const own = ownNames(manifest);
  for (const [name, target] of Object.entries(SKILL_LINKS))
    if (!own.has(name)) await symlink(target, join(directory, name));
  for (const folder of [...folders, ""]) await changeMode(join(directory, folder), 0o555);
}

/** Reports the links that a skill does not get, because it has an entry of that name. */
export function linkDiagnostics(manifest: SkillManifest): Diagnostic[] {
  return keptNames(ownNames(manifest));
}

/** Like `linkDiagnostics`, from an existing tree. */
export async function linkDiagnosticsOf(directory: string): Promise<Diagnostic[]> {
  const own = await Promise.all(
    Object.keys(SKILL_LINKS).map(async (name) =>
      (await lstat(join(directory, name))).isSymbolicLink() ? [] : [name],
    ),
  );
  return keptNames(new Set(own.flat()));
}

function keptNames(own: ReadonlySet<string>): Diagnostic[] {
  return Object.keys(SKILL_LINKS)
    .filter((name) => own.has(name))
    .map((name) => ({
      code: "skill-link.kept",
      severity: "warning",
      message: `The skill contains its own "${name}", so this name does not lead to the directory of the workspace.`,
      hint: "Rename it in the skill, or use the paths in OUTPUT_DIR, WORK_DIR and INPUTS_DIR.",
      path: name,
    }));
}

/**
 * Returns the manifest in its own order, checked for writing to disk.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`, `SKILL_INVALID`.
 */
export function writableManifest(manifest: SkillManifest): SkillManifest {
  const checked = skillManifest(manifest.files);
  const folders = new Set(foldersOf(checked));
  const both = checked.files.find(({ path }) => folders.has(path));
  if (both)
    throw new SkillError(
      "SKILL_INVALID",
      `The path "${both.path}" is both a file and a folder in the manifest. Rename one.`,
    );
  return checked;
}

function groupsOf(files: readonly ManifestFile[]): readonly (readonly ManifestFile[])[] {
  const count = Math.ceil(files.length / GROUP_FILES);
  return Array.from({ length: count }, (_, group) =>
    files.slice(group * GROUP_FILES, (group + 1) * GROUP_FILES),
  );
}

/** Outer directories first. */
function foldersOf({ files }: SkillManifest): string[] {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let folder = dirname(path); folder !== "." && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  return [...folders].sort((a, b) => a.length - b.length);
}

function ownNames({ files }: SkillManifest): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { path } of files) {
    const end = path.indexOf("/");
    names.add(end === -1 ? path : path.slice(0, end));
  }
  return names;
}
