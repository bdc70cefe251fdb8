import { readFile, realpath } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { isExecutable } from "./is-executable.js";

export interface Interpreter {
  readonly name: "node" | "python3";
  /** The path as found, before resolving links. */
  readonly found: string;
  /**
   * The path with links resolved. Missing where `found` is a version manager's script whose target could not be
   * determined.
   */
  readonly program: string | undefined;
}

/** Where to search; defaults to the process's own environment. */
export interface HostPrograms {
  readonly execPath: string;
  readonly searchPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function ownHostPrograms(): HostPrograms {
  return { execPath: process.execPath, searchPath: process.env["PATH"] ?? "", env: process.env };
}

/** The Node.js and Python of this process's user. They are only located here, never run. */
export async function hostInterpreters(host: HostPrograms): Promise<readonly Interpreter[]> {
  const node = /^node(js)?$/.test(host.execPath.split("/").at(-1) ?? "")
    ? host.execPath
    : await firstOnPath("node", host);
  const python = await firstOnPath("python3", host);
  const found: Interpreter[] = [];
  // Without its real path, the program counts as one that cannot be mounted.
  if (node) found.push({ name: "node", found: node, program: await realpath(node).catch(() => undefined) });
  if (python) found.push({ name: "python3", found: python, program: await pythonProgram(python, host) });
  return found;
}

async function firstOnPath(name: string, { searchPath }: HostPrograms): Promise<string | undefined> {
  for (const directory of searchPath.split(delimiter)) {
    if (!directory.startsWith("/")) continue;
    const path = join(directory, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/**
 * A version manager's `shims` are scripts that select a version; pyenv's selection can be read without running them.
 */
async function pythonProgram(found: string, { env }: HostPrograms): Promise<string | undefined> {
  const directory = dirname(found);
  if (!directory.endsWith("/shims")) return await realpath(found);
  const pyenv = dirname(directory);
  // If the file is missing or cannot be read, pyenv has selected no version.
  const text = env["PYENV_VERSION"] ?? (await readFile(join(pyenv, "version"), "utf8").catch(() => ""));
  for (const version of text.split(/[\s:]+/).filter((part) => /^[\w.-]+$/.test(part))) {
    const program = join(pyenv, "versions", version, "bin", "python3");
    if (await isExecutable(program)) return await realpath(program);
  }
  return undefined;
}
