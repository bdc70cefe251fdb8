import { Buffer } from "node:buffer";
import { checkSize, MAX_STRING_BYTES } from "./check-command.js";
import { checkEnvironmentVariable, variableText } from "./environment.js";
import type { RunCommand } from "./run-command.js";

const MAX_TOTAL_BYTES = 512 * 1024;
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export interface EnvironmentPlace {
  /** Absolute path of the workspace as commands see it. */
  readonly root: string;
  readonly tmp: string;
  /** Directories to put at the front of PATH. */
  readonly path: readonly string[];
  /** Directories for the end of PATH, after those of the command. */
  readonly lastPath?: readonly string[] | undefined;
  /** Value of LANG. */
  readonly language: string;
}

/**
 * Builds all variables of one command: the base, then the command's own, which may override the base. Secrets are
 * revealed to a process only here.
 * @throws SkillError `INPUT_INVALID` as core's `checkEnvironmentVariable`, `LIMIT_EXCEEDED`.
 */
export function commandEnvironment(
  { env, programs }: Pick<RunCommand, "env" | "programs">,
  place: EnvironmentPlace,
): Record<string, string> {
  const all = new Map(Object.entries(baseEnvironment(place, programs)));
  let total = 0;
  for (const [name, given] of Object.entries(env)) {
    const value = variableText(name, given);
    checkEnvironmentVariable(name, value);
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
    checkSize(`The variable ${name}`, bytes, MAX_STRING_BYTES);
    total += bytes;
    all.set(name, value);
  }
  checkSize("All variables together", total, MAX_TOTAL_BYTES);
  // `fromEntries` also sets a variable named `__proto__` as an ordinary property.
  return Object.fromEntries(all);
}

function baseEnvironment(
  { root, tmp, path, lastPath = [], language }: EnvironmentPlace,
  { before, after }: NonNullable<RunCommand["programs"]> = { before: [], after: [] },
): Record<string, string> {
  const home = `${root}/work`;
  const absolute = (directory: string) => `${root}/${directory}`;
  return {
    PATH: [...before.map(absolute), ...path, SYSTEM_PATH, ...after.map(absolute), ...lastPath].join(":"),
    HOME: home,
    TMPDIR: tmp,
    LANG: language,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    PYTHONDONTWRITEBYTECODE: "1",
  };
}
