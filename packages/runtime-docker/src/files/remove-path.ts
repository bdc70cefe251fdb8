import { type CallOptions, SkillError } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { runScript } from "../stream/run-script.js";
import { filePath, nameOf, parentOf } from "./layout-path.js";
import { checkScript, PATH_FUNCTIONS, scriptRefusal } from "./path-script.js";

/** Removing many files may take longer than the default timeout of a script. */
const TIMEOUT_MS = 300_000;

/**
 * A tree deeper than the maximum path length is removed in steps: deep directories are moved to the top again and
 * again.
 */
const REMOVE = `${PATH_FUNCTIONS}
is_there() {
  [ -e "./$1" ] || [ -L "./$1" ]
}
open_and_remove() {
  chmod -R u+rwx "./$1" 2>/dev/null
  rm -rf "./$1" 2>/dev/null
}
below() {
  find "./$1" -mindepth $2 -maxdepth $2 -type d 2>/dev/null | head -n 1
}
enter "$1"
is_there "$2" || refuse none "$1/$2"
if [ -d "./$2" ] && [ ! -L "./$2" ]; then
  open_and_remove "$2"
  round=0
  while is_there "$2" && [ $round -lt 2000 ]; do
    round=$((round + 1))
    deep=$(below "$2" 50)
    if [ -z "$deep" ]; then
      open_and_remove "$2"
      deep=$(below "$2" 12)
    fi
    [ -n "$deep" ] || break
    mv "$deep" "./$2/.skillwright-$round" || break
    chmod -R u+rwx "./$2/.skillwright-$round" 2>/dev/null
  done
else
  rm -f "./$2"
fi
! is_there "$2"
`;

/**
 * Removes the entry at a path without following links. Returns `false` where there is nothing.
 * @throws SkillError `PATH_OUTSIDE` for a link on the way, `PATH_INVALID`, `BACKEND_FAILED`, `ABORTED`.
 */
export async function removePath(
  container: WorkspaceContainer,
  path: string,
  options: CallOptions = {},
): Promise<boolean> {
  const args = [parentOf(filePath(path)), nameOf(path)];
  const result = await runScript(
    container,
    { script: REMOVE, args, as: "run", timeoutMs: TIMEOUT_MS },
    options,
  );
  if (SkillError.is(scriptRefusal(result, path), "FILE_NOT_FOUND")) return false;
  checkScript(result, path, `Removing ${path}`);
  return true;
}
