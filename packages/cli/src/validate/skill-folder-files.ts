import { constants, type Dirent } from "node:fs";
import { open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, readBytes, SKILL_LIMITS } from "@skillwright/core";
import type { LintedFile } from "@skillwright/lint";
import { SKIPPED_FOLDERS } from "../skills/skipped-folders.js";

export interface SkillFolderFiles {
  readonly files: readonly LintedFile[];
  /** False where the folder contains more than is listed. */
  readonly complete: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Beyond this nothing is listed: such a folder is not a skill's. */
const MAX_LISTED = 4 * SKILL_LIMITS.files;

/**
 * The files of a skill's folder in the linter's form, sorted by path: the first 512 with their content, up to 16 MiB in
 * total, all others by name. Links and special files are listed and never opened; version control, installed packages and
 * the given folders are left out.
 */
export async function skillFolderFiles(
  directory: string,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<SkillFolderFiles> {
  const { listed, unreadable } = await list(directory, leftOut);
  const files: LintedFile[] = [];
  const unread: string[] = [...unreadable];
  let room: number = SKILL_LIMITS.bytes;
  for (const { path, entry } of listed.slice(0, MAX_LISTED)) {
    const withContent = files.length < SKILL_LIMITS.files ? room : 0;
    const file = await lintedFile(join(directory, path), path, entry, withContent);
    files.push(file);
    if (file.kind === "file" && file.content === undefined) unread.push(path);
    room -= file.content?.length ?? 0;
  }
  const complete = listed.length <= MAX_LISTED && unreadable.length === 0;
  return { files, complete, diagnostics: complete && unread.length === 0 ? [] : [incomplete(unread)] };
}

interface Listed {
  /** With `/` between parts. */
  readonly path: string;
  readonly entry: Dirent;
}

/** Also returns the directories that may not be read. */
async function list(
  directory: string,
  leftOut: ReadonlySet<string>,
): Promise<{ readonly listed: readonly Listed[]; readonly unreadable: readonly string[] }> {
  const found: Listed[] = [];
  const unreadable: string[] = [];
  await walk("");
  // SKILL.md sorts first, so that its content is read whatever else there is.
  const rank = (path: string) => (path.toLowerCase() === "skill.md" ? `\0${path}` : path);
  return { listed: found.sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1)), unreadable };

  async function walk(prefix: string): Promise<void> {
    const entries = await readdir(join(directory, prefix), { withFileTypes: true }).catch(() => {
      unreadable.push(prefix);
      return [];
    });
    for (const entry of entries) {
      if (found.length > MAX_LISTED) return;
      const path = `${prefix}${entry.name}`;
      if (leftOut.has(join(directory, path))) continue;
      // A submodule and a linked working tree have a file `.git`.
      if (SKIPPED_FOLDERS.has(entry.name) && (!entry.isFile() || entry.name === ".git")) continue;
      if (entry.isDirectory()) await walk(`${path}/`);
      else found.push({ path, entry });
    }
  }
}

async function lintedFile(location: string, path: string, entry: Dirent, room: number): Promise<LintedFile> {
  if (entry.isSymbolicLink()) {
    // A link that has been replaced meanwhile has no target.
    const target = await readlink(location).catch(() => undefined);
    return { path, kind: "link", ...(target !== undefined && { target }) };
  }
  if (!entry.isFile()) return { path, kind: "special" };
  try {
    await using handle = await open(
      location,
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
    );
    const stat = await handle.stat();
    if (!stat.isFile()) return { path, kind: "special" };
    const file = { path, kind: "file", size: stat.size, executable: (stat.mode & 0o111) !== 0 } as const;
    if (stat.size > room) return file;
    return { ...file, content: await readBytes(handle.createReadStream({ autoClose: false }), room) };
  } catch {
    return { path, kind: "file" };
  }
}

function incomplete(unread: readonly string[]): Diagnostic {
  const [first] = unread;
  const more = unread.length > 1 ? ` and ${(unread.length - 1).toLocaleString("en")} more` : "";
  const what = first === undefined ? "More files than can be listed were" : `"${first}"${more} was`;
  return {
    code: "lint.incomplete",
    severity: "warning",
    message: `${what} not checked: unreadable, or beyond the limits of 512 files and 16 MiB.`,
    hint: "Make the skill smaller, or check these files yourself.",
  };
}
