import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, readBytes, SkillError } from "@skillwright/core";

export interface PluginFile {
  /** Relative to the plugin, with `/` between parts. */
  readonly path: string;
  readonly executable: boolean;
  readonly content: Uint8Array;
}

export interface PluginFiles {
  /** Sorted by path. */
  readonly files: readonly PluginFile[];
  /** One for each symlink and special file, which are never read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What an archive of a plugin may have, so that every installed plugin can be packed. */
const MOST_FILES = 4096;
const MOST_BYTES = 64 * 1024 * 1024;
/** The folder of a project's own settings and installations; not a part of a plugin. */
export const OWN_FOLDER = ".skillwright";
const VERSION_CONTROL: ReadonlySet<string> = new Set([".git", ".hg", ".svn"]);

/**
 * Reads the files of a plugin, without version control data and without `.skillwright` at its top: a plugin that is
 * developed in its own project would otherwise contain the plugins that are installed there.
 * @param isWanted False for paths that are left out and, where they are folders, not searched.
 * @throws SkillError `LIMIT_EXCEEDED` for more than 4,096 files or 64 MiB.
 */
export async function pluginFiles(root: string, isWanted: (path: string) => boolean): Promise<PluginFiles> {
  const files: PluginFile[] = [];
  const diagnostics: Diagnostic[] = [];
  let room = MOST_BYTES;
  await walk("");
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), diagnostics };

  async function walk(prefix: string): Promise<void> {
    for (const entry of await readdir(join(root, prefix), { withFileTypes: true })) {
      const path = `${prefix}${entry.name}`;
      if (VERSION_CONTROL.has(entry.name) || path === OWN_FOLDER || !isWanted(path)) continue;
      if (entry.isDirectory()) await walk(`${path}/`);
      else if (entry.isFile()) await take(path);
      else diagnostics.push(notCopied(path, entry.isSymbolicLink() ? "symlink" : "special file"));
    }
  }

  async function take(path: string): Promise<void> {
    if (files.length === MOST_FILES) throw tooMuch(root);
    await using handle = await open(
      join(root, path),
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
    );
    const { size, mode } = await handle.stat();
    if (size > room) throw tooMuch(root);
    const content = await readBytes(handle.createReadStream({ autoClose: false }), room);
    room -= content.byteLength;
    files.push({ path, executable: (mode & 0o111) !== 0, content });
  }
}

function notCopied(path: string, what: string): Diagnostic {
  return {
    code: "plugin.not-copied",
    severity: "error",
    message: `${path} is a ${what}, which is neither packed nor installed.`,
    hint: "Replace it with a file, or remove it.",
    path,
  };
}

function tooMuch(root: string): SkillError {
  const message = `The plugin in ${root} has more than ${MOST_FILES} files or ${MOST_BYTES} bytes. Remove what it does not need, such as node_modules.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { files: MOST_FILES, bytes: MOST_BYTES } });
}
