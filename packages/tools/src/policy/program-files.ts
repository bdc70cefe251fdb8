import { access, constants, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";

/** The PATH that the local runtime gives its commands, without directories of the user's own interpreters. */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A single file that contains many programs and selects one by the name it is called by. */
const MANY_IN_ONE = /\/(busybox|toybox|coreutils|uutils|multicall)[^/]*$/;

/** Looks up files of programs on this machine, each once. */
export interface ProgramFiles {
  /**
   * Real path of the file that a bare name (looked up on the path) or an absolute path resolves to; `undefined` for
   * relative paths, which anybody may create, and for missing files.
   */
  real(program: string): Promise<string | undefined>;
  /** True for a file in one of the directories of the path, which commands cannot write to. */
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

/** True for a file that is exactly one program, whatever name it is called by. */
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
