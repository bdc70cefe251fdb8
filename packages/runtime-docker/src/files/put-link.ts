import { posix } from "node:path";
import type { CallOptions } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { runScript } from "../stream/run-script.js";
import { filePath, layoutPath, nameOf, parentOf, READABLE_ROOTS } from "./layout-path.js";
import { checkScript, PATH_FUNCTIONS } from "./path-script.js";

const LINK = `${PATH_FUNCTIONS}
enter "$1" make
if [ -d "./$2" ] && [ ! -L "./$2" ]; then refuse directory "$1/$2"; fi
ln -sfn "$3" "./$2"
`;

/**
 * Creates a link with a relative target. A file or link of that name is replaced.
 * @throws SkillError `PATH_OUTSIDE` for a link on the way, `PATH_INVALID` when a directory has that name,
 * `BACKEND_FAILED`.
 */
export async function putLink(
  container: WorkspaceContainer,
  path: string,
  to: string,
  options: CallOptions = {},
): Promise<void> {
  const directory = parentOf(filePath(path));
  const text = posix.relative(directory, layoutPath(to, READABLE_ROOTS));
  const script = { script: LINK, args: [directory, nameOf(path), text], as: "run" } as const;
  checkScript(await runScript(container, script, options), path, `Making the link ${path}`);
}
