import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { type CallOptions, type Diagnostic, isContainedPath } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { openHostFile } from "./host-file.js";
import { type HostPlace, hostFileNotFound } from "./host-place.js";
import { ifReadable } from "./if-readable.js";
import { INPUT_LIMITS, tooMuch } from "./input-budget.js";
import { type InputFile, type InputTree, singleFile } from "./input-tree.js";
import { inputSkipped } from "./skipped-input.js";

const MAX_DEPTH = 64;

/**
 * Lists the regular files, by path. Links, special files and names that no workspace can have are left out with a
 * diagnostic. A directory that is replaced with a link meanwhile yields no file, since each file is checked when it is
 * opened.
 * @throws SkillError `LIMIT_EXCEEDED` above 5,000 files; `FILE_NOT_FOUND`, `ABORTED`.
 */
export async function hostTree(
  { real, isDirectory, written }: HostPlace,
  { signal, tell }: CallOptions & { tell: (diagnostic: Diagnostic) => void },
): Promise<InputTree> {
  const open = (file: string) => () => openHostFile(file, written);
  if (!isDirectory) {
    const stats = await ifReadable(lstat(real));
    if (!stats) throw hostFileNotFound(written);
    return singleFile({ size: stats.size, executable: isExecutable(stats.mode), open: open(real) });
  }
  const files: InputFile[] = [];

  async function walk(directory: string, below: string, depth: number): Promise<void> {
    // The next line reports a folder that cannot be read.
    const names = await readdir(directory, { encoding: "buffer" }).catch(() => undefined);
    if (!names) return tell(inputSkipped(written, below, "cannot be read"));
    for (const bytes of names.sort(Buffer.compare)) {
      checkAborted(signal);
      const name = bytes.toString("utf8");
      const relative = below === "" ? name : `${below}/${name}`;
      if (!Buffer.from(name).equals(bytes) || !isContainedPath(relative)) {
        tell(inputSkipped(written, relative, "has a name that is not allowed in a workspace"));
        continue;
      }
      const file = path.join(directory, name);
      // The code below reports the file as left out.
      const stats = await lstat(file).catch(() => undefined);
      if (stats?.isDirectory() && depth < MAX_DEPTH) await walk(file, relative, depth + 1);
      else if (stats?.isFile())
        files.push({
          path: relative,
          size: stats.size,
          executable: isExecutable(stats.mode),
          open: open(file),
        });
      else
        tell(inputSkipped(written, relative, stats?.isSymbolicLink() ? "is a link" : "is no regular file"));
      if (files.length > INPUT_LIMITS.files)
        throw tooMuch(`${files.length} files`, `${INPUT_LIMITS.files} files`);
    }
  }

  await walk(real, "", 1);
  return { isDirectory, files };
}

function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}
