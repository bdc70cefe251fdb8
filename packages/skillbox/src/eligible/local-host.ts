import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { forEachLimited } from "@skillwright/core/adapter";
import type { HostFacts } from "./host-facts.js";

/** The place where commands run, checked on demand. */
export interface SkillHost {
  /** Returns the current facts. Only the given programs are looked up. */
  look(programs: readonly string[]): Promise<HostFacts>;
}

type Env = Readonly<Record<string, string | undefined>>;

const NONE: ReadonlySet<string> = new Set();

export interface LocalHostOptions {
  /** Programs are looked up in its `PATH`. Defaults to `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** System names as in Node. Defaults to this machine's. */
  readonly systems?: readonly string[] | undefined;
}

/**
 * This machine. A program counts as present where a directory of PATH has an executable file of its name. Each call
 * checks again: found programs are verified, and missing ones are searched again when a directory of PATH has changed
 * since.
 */
export function localHost(options: LocalHostOptions = {}): SkillHost {
  const { systems = [process.platform] } = options;
  const found = new Map<string, string>();
  const missing = new Set<string>();
  let seen = "";

  async function look(programs: readonly string[]): Promise<HostFacts> {
    const env = options.env ?? process.env;
    const there = programs.length === 0 ? NONE : await programsThere(programs, env);
    return {
      systems,
      hasProgram: (name) => there.has(name),
      variable: (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
    };
  }

  async function programsThere(programs: readonly string[], env: Env): Promise<ReadonlySet<string>> {
    const directories = pathDirectories(env);
    const { mark, settled } = await markOf(directories);
    if (mark !== seen) missing.clear();
    seen = mark;
    const there = new Set<string>();
    await forEachLimited(new Set(programs), 16, async (program) => {
      if (await exists(program, directories, settled)) there.add(program);
    });
    return there;
  }

  async function exists(program: string, directories: readonly string[], settled: boolean): Promise<boolean> {
    if (!/^[^/\\\0]+$/.test(program) || missing.has(program)) return false;
    const known = found.get(program);
    if (
      known !== undefined &&
      directories.some((one) => join(one, program) === known) &&
      (await isProgram(known))
    )
      return true;
    found.delete(program);
    for (const directory of directories)
      for (const suffix of suffixes()) {
        const path = join(directory, program + suffix);
        if (!(await isProgram(path))) continue;
        found.set(program, path);
        return true;
      }
    if (settled) missing.add(program);
    return false;
  }

  return { look };
}

/** A relative entry means a different directory for each command, so it is ignored. */
function pathDirectories(env: Env): readonly string[] {
  const path = env["PATH"] ?? env["Path"] ?? "";
  return [...new Set(path.split(delimiter).filter(isAbsolute))];
}

const SETTLED_MS = 2000;

/**
 * Changes when something is put into one of the directories. Settled where no change can still have the same time
 * stamp.
 */
async function markOf(directories: readonly string[]): Promise<{ mark: string; settled: boolean }> {
  const states = await Promise.all(
    // A directory that cannot be looked at has no programs for this user.
    directories.map((directory) => stat(directory, { bigint: true }).catch(() => undefined)),
  );
  const now = Date.now();
  return {
    mark: JSON.stringify(
      states.map((state, at) => [directories[at], state && `${state.ino} ${state.mtimeNs}`]),
    ),
    settled: states.every((state) => state === undefined || now - Number(state.mtimeMs) > SETTLED_MS),
  };
}

function suffixes(): readonly string[] {
  return process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
