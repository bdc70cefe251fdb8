import { access, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import type { Credentials } from "../host/credentials.js";
import type { Interpreter } from "../host/interpreters.js";
import { unreachablePart } from "../host/reachable.js";
import { lentProgram } from "./lent-program.js";
import { link, type Mount, readOnly } from "./mount.js";

export interface InterpreterMounts {
  readonly mounts: readonly Mount[];
  /** Directories to put at the front of PATH inside. */
  readonly path: readonly string[];
  /** Absolute paths inside of programs to test. */
  readonly programs: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface InterpreterPlace {
  /** The user that the launcher runs as, if not this process's user. */
  readonly credentials: Credentials | undefined;
  /** Directory of this package's own files. */
  readonly directory: string;
}

const SYSTEM = /^\/(usr|bin|sbin|lib|lib64)\//;

/**
 * Mounts interpreters outside `/usr` (nvm, pyenv, uv and similar tools install them in the user's home): the parts of
 * their installation that they need to run, read-only, and nothing else of the home.
 */
export async function interpreterMounts(
  interpreters: readonly Interpreter[],
  place: InterpreterPlace,
): Promise<InterpreterMounts> {
  const outside = interpreters.filter(({ program }) => !program || !SYSTEM.test(program));
  const parts = await Promise.all(outside.map((interpreter) => mountsOf(interpreter, place)));
  return {
    mounts: parts.flatMap(({ mounts }) => mounts),
    path: parts.flatMap(({ path }) => path),
    programs: parts.flatMap(({ programs }) => programs),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function mountsOf(interpreter: Interpreter, place: InterpreterPlace): Promise<InterpreterMounts> {
  const { name, found, program } = interpreter;
  if (!program) return notVisible(interpreter, "it is a script of a version manager, not the program itself");
  const blocked = place.credentials && unreachablePart(program, place.credentials);
  if (name === "node") return await nodeMounts(program, blocked === undefined, place);
  if (blocked)
    return notVisible(
      interpreter,
      `${blocked} is not accessible to user ${place.credentials?.uid}, as which commands run`,
    );
  const prefix = dirname(dirname(program));
  if (prefix === homedir() || !(await isPython(prefix)))
    return notVisible(interpreter, `${found} is not inside a separate installation directory`);
  const mounts = ["bin", "lib", "lib64", "include"].map((part): Mount => {
    const path = join(prefix, part);
    return { kind: "read-only-if-there", source: path, target: path };
  });
  // Mounted at its original path, because an installation may contain its own path.
  return { mounts, path: [join(prefix, "bin")], programs: [program], diagnostics: [] };
}

/** The program and npm. Node.js works from any location. */
async function nodeMounts(
  program: string,
  reachable: boolean,
  place: InterpreterPlace,
): Promise<InterpreterMounts> {
  const target = "/opt/node/bin/node";
  const modules = join(dirname(dirname(program)), "lib/node_modules");
  const withNpm = reachable && (await exists(join(modules, "npm/bin/npm-cli.js")));
  const npm = [
    readOnly(modules, "/opt/node/lib/node_modules"),
    link("../lib/node_modules/npm/bin/npm-cli.js", "/opt/node/bin/npm"),
    link("../lib/node_modules/npm/bin/npx-cli.js", "/opt/node/bin/npx"),
  ];
  const source = reachable ? program : await lentProgram(program, place.directory);
  const mounts = [readOnly(source, target), ...(withNpm ? npm : [])];
  return {
    mounts,
    path: ["/opt/node/bin"],
    programs: [target],
    diagnostics: withNpm ? [] : [withoutNpm(program)],
  };
}

async function isPython(prefix: string): Promise<boolean> {
  // A folder that cannot be read contains no Python that commands could use.
  const names = await readdir(join(prefix, "lib")).catch(() => []);
  return names.some((name) => /^python3(\.\d+)?$/.test(name));
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function notVisible({ name, found }: Interpreter, why: string): InterpreterMounts {
  const diagnostic: Diagnostic = {
    code: "interpreter.not-visible",
    severity: "warning",
    message: `Sandboxed commands cannot use ${name} at ${found}: ${why}. They use the system's ${name}, if it is installed.`,
    hint: `Install ${name} below /usr or /opt, for instance with the system's package manager.`,
  };
  return { mounts: [], path: [], programs: [], diagnostics: [diagnostic] };
}

function withoutNpm(program: string): Diagnostic {
  return {
    code: "interpreter.npm-not-visible",
    severity: "info",
    message: `Sandboxed commands can use node from ${program}, but not its npm.`,
    hint: "Install Node.js below /usr for commands that need npm.",
  };
}
