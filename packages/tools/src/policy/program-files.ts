import { access, constants, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";

/** What the local runtime gives its commands, without directories of the user's own interpreters. */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** One file that is many programs and tells them apart by the name it is called by. */
const MANY_IN_ONE = /\/(busybox|toybox|coreutils|uutils|multicall)[^/]*$/;

/** Files of programs on this machine, each looked up once. */
export interface ProgramFiles {
  /**
   * The real path of the file that a bare name (looked up on the path) or an absolute path leads to; `undefined` for
   * relative paths, which anybody may make, and where there is none.
   */
  real(program: string): Promise<string | undefined>;
  /** True for a path that names a file in one of the directories of the path, which commands cannot write to. */
  inPath(program: string): boolean;
}

export function programFiles(path: string): ProgramFiles {
  const directories = path.split(":").filter(isAbsolute).map(withoutEnd);

  const known = new Map<string, Promise<string | undefined>>();

  async function find(program: string): Promise<string | undefined> {
    if (isAbsolute(program)) return await realFile(program);
    if (program.includes("/") || program === "") return undefined;
    for (const directory of directories) {
      const found = await realFile(join(directory, program));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function real(program: string): Promise<string | undefined> {
    const found = known.get(program) ?? find(program);
    known.set(program, found);
    return found;
  }

  return { real, inPath: (program) => directories.includes(withoutEnd(dirname(normalize(program)))) };
}

/** True for a file that says by itself which program it is. */
export function isOneProgram(file: string | undefined): file is string {
  return file !== undefined && !MANY_IN_ONE.test(file);
}

async function realFile(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    return await realpath(path);
  } catch {
    return undefined;
  }
}

function withoutEnd(directory: string): string {
  return directory.replace(/(?<=.)\/+$/, "");
}
