import { isContainedPath, SkillError } from "@skillwright/core";
import { ROOT } from "../container/workspace-container.js";
import type { ScriptResult } from "../stream/run-script.js";

/** Exit code of a script that refused a path; it prints why and where on one line. */
const REFUSED = 64;

/**
 * Functions for scripts in a container. `enter <directory> [make]` changes to that directory part by part from the
 * root, following no link; it stays in each directory even if that is renamed. `refuse <why> <path>` ends the script.
 */
export const PATH_FUNCTIONS = `
root=${ROOT}
refuse() {
  printf '%s %s\\n' "$1" "$2"
  exit ${REFUSED}
}
enter() {
  cd -P "$root" || refuse closed .
  left=$1
  shown=
  while [ -n "$left" ]; do
    part=\${left%%/*}
    case $left in
      */*) left=\${left#*/} ;;
      *) left= ;;
    esac
    shown=\${shown:+$shown/}$part
    [ ! -L "./$part" ] || refuse link "$shown"
    if [ ! -d "./$part" ]; then
      [ ! -e "./$part" ] || refuse file "$shown"
      [ -n "$2" ] || refuse none "$shown"
      mkdir "./$part" 2>/dev/null || [ -d "./$part" ] || refuse unmade "$shown"
    fi
    cd -P "./$part" 2>/dev/null || refuse closed "$shown"
    [ "$PWD" = "$root/$shown" ] || refuse link "$shown"
  done
}
`;

/** The refusal of a script; `undefined` for any other end. */
export function scriptRefusal({ exitCode, stdout }: ScriptResult, path: string): SkillError | undefined {
  if (exitCode !== REFUSED) return undefined;
  return refusal(Buffer.from(stdout.subarray(0, 4096)).toString("utf8"), path);
}

/** @throws SkillError for a refusal, or `BACKEND_FAILED` for any other failure. */
export function checkScript(result: ScriptResult, path: string, doing: string): void {
  const refused = scriptRefusal(result, path);
  if (refused) throw refused;
  if (result.exitCode === 0) return;
  const said = result.stderr.trim().replaceAll(/\s+/g, " ").slice(0, 300);
  throw new SkillError(
    "BACKEND_FAILED",
    `${doing} failed in the container (${result.exitCode})${said && `: ${said}`}. Check that the workspace has free space, and that its image has a shell and the standard small commands.`,
    { details: { path, exitCode: result.exitCode } },
  );
}

/** Parses the line, which comes from the container and may contain anything. */
export function refusal(line: string, path: string): SkillError {
  const [, why = "", named = ""] = /(?:^|\n)(\w+) ([^\n]+)/.exec(line) ?? [];
  const shown = isContainedPath(named) ? named : path;
  const make = REASONS.get(why) ?? unreadable;
  return make(shown);
}

const REASONS: ReadonlyMap<string, (path: string) => SkillError> = new Map([
  ["none", notFound],
  ["link", isLink],
  ["file", notDirectory],
  ["special", notRegular],
  ["directory", isDirectory],
  ["closed", unreadable],
  ["unmade", unwritable],
]);

function notFound(path: string): SkillError {
  return refused(
    "FILE_NOT_FOUND",
    path,
    `${path} does not exist in the workspace. List the files to see what exists.`,
  );
}

function isLink(path: string): SkillError {
  return refused(
    "PATH_OUTSIDE",
    path,
    `${path} is a symlink, and symlinks in a workspace are not followed. Give its target.`,
  );
}

function notDirectory(path: string): SkillError {
  return refused("PATH_INVALID", path, `${path} is not a directory. Give a directory.`);
}

function notRegular(path: string): SkillError {
  return refused(
    "PATH_INVALID",
    path,
    `${path} is not a regular file, so it is not read. Give a regular file.`,
  );
}

function isDirectory(path: string): SkillError {
  return refused(
    "PATH_INVALID",
    path,
    `${path} is a directory, which is not replaced. Give another name, below it or next to it.`,
  );
}

function unreadable(path: string): SkillError {
  return refused(
    "BACKEND_FAILED",
    path,
    `${path} cannot be opened by the user that commands run as. Restore its permissions with chmod.`,
  );
}

function unwritable(path: string): SkillError {
  return refused(
    "BACKEND_FAILED",
    path,
    `${path} cannot be created: the workspace is full, or the directory above lacks permissions.`,
  );
}

function refused(code: SkillError["code"], path: string, message: string): SkillError {
  return new SkillError(code, message, { details: { path } });
}
