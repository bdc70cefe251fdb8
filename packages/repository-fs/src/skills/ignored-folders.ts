import type { BigIntStats } from "node:fs";
import ignore, { type Ignore } from "ignore";
import { isErrno } from "../files/errno.js";
import type { DirectoryEntry } from "../files/read-directory.js";
import { withRegularFile } from "../files/regular-file.js";

/** Rules of ignore files from a directory up to the root; the nearest file with a matching rule decides. */
export interface IgnoredFolders {
  /** @param path Path inside the repository. */
  isIgnored(path: string): boolean;
}

/** No real ignore file is larger; the rest is not read. */
const MAX_BYTES = 64 * 1024;

/**
 * Adds the ignore files of one more directory, if it has any.
 * @param onRead Called with the stamp of each that was read; `undefined` where it could not be read.
 */
export async function withIgnoreFiles(
  outer: IgnoredFolders | undefined,
  folder: string,
  entries: readonly DirectoryEntry[],
  names: ReadonlySet<string>,
  onRead: (path: string, stat: BigIntStats | undefined) => void,
): Promise<IgnoredFolders | undefined> {
  const files = entries.filter(({ kind, name }) => kind === "file" && names.has(name));
  if (files.length === 0) return outer;
  const rules = ignore();
  for (const { location } of files)
    rules.add(await ignoreFileText(location, (stat) => onRead(location, stat)));
  return folderRules(outer, folder === "." ? "" : `${folder}/`, rules);
}

function folderRules(outer: IgnoredFolders | undefined, prefix: string, rules: Ignore): IgnoredFolders {
  return {
    isIgnored(path) {
      const { ignored, unignored } = rules.test(`${path.slice(prefix.length)}/`);
      if (ignored || unignored) return ignored;
      return outer?.isIgnored(path) === true;
    },
  };
}

async function ignoreFileText(
  location: string,
  onRead: (stat: BigIntStats | undefined) => void,
): Promise<string> {
  try {
    const bytes = await withRegularFile(location, ({ stat, read }) => {
      onRead(stat);
      return read(new Uint8Array(Math.min(MAX_BYTES, Number(stat.size))));
    });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM")) throw error;
    onRead(undefined);
    return "";
  }
}
