import { type CallOptions, SkillError } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { runScript } from "../stream/run-script.js";
import { listedFiles, MAX_DEPTH } from "./listed-files.js";
import { checkScript, PATH_FUNCTIONS } from "./path-script.js";

const MAX_BYTES = 64 * 1024 * 1024;

/** A path never ends with two slashes, so they separate the entries whatever the names are. */
const LIST = `${PATH_FUNCTIONS}
enter "$1"
shift
TZ=UTC0
export TZ
find "$@" -mindepth 1 -maxdepth ${MAX_DEPTH} -exec stat -c '%f %s %i %h %d %u %y %z %n//' {} +
printf 'ended %s//\\n' "$?"
`;

/**
 * Lists everything below the directories without following links, sorted by path bytes. The image's `find` and `stat`
 * do the work but are not trusted: names elsewhere are shown as special entries and never opened.
 * @param within A directory, or empty for the root; `below` are existing directories in it.
 * @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID` for the directory, `LIMIT_EXCEEDED` for more than
 * 64 MiB of answers, `BACKEND_FAILED`, also for an image without these programs, `ABORTED`.
 */
export async function listFiles(
  container: WorkspaceContainer,
  { within, below }: { readonly within: string; readonly below: readonly string[] },
  options: CallOptions = {},
): Promise<readonly FileStat[]> {
  const result = await runScript(
    container,
    { script: LIST, args: [within, ...below], as: "run", maxBytes: MAX_BYTES },
    options,
  );
  checkScript(result, within, "Listing files");
  const prefix = within === "" ? "" : `${within}/`;
  const { files, ended } = listedFiles(result.stdout, { prefix, uid: container.user.uid });
  if (ended !== undefined && (ended === 0 || isToBeExpected(result.stderr))) return files;
  throw notListed(result.stderr);
}

/** Entries that vanish or are inaccessible do not fail the listing. */
function isToBeExpected(stderr: string): boolean {
  const lines = stderr.trim().split("\n");
  // Only the beginning was kept.
  if (stderr.length > 8192) lines.pop();
  return lines.every((line) => /permission denied|no such file or directory|name too long/i.test(line));
}

function notListed(stderr: string): SkillError {
  const said = stderr.trim().replaceAll(/\s+/g, " ").slice(0, 300);
  return new SkillError(
    "BACKEND_FAILED",
    `The files in the container could not be listed${said && `: ${said}`}. Its image needs find and stat from busybox or from findutils and coreutils.`,
    { details: { said } },
  );
}
