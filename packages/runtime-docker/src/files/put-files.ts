import { randomBytes } from "node:crypto";
import type { CallOptions } from "@skillwright/core";
import { abortable, type FileEntry } from "@skillwright/core/adapter";
import { INCOMING, VOLUME, type WorkspaceContainer } from "../container/workspace-container.js";
import { runScript } from "../stream/run-script.js";
import { archiveWriter, ROOT_OWNER } from "./archive-writer.js";
import { filePath, nameOf, parentOf } from "./layout-path.js";
import { checkScript, PATH_FUNCTIONS } from "./path-script.js";
import { putArchive } from "./put-archive.js";

/** This many names fit on a command line, whatever their length. */
const MAX_TOGETHER = 500;

/**
 * Moves the content of directories called 0, 1, ... to the given directories, in order. Runs as the run's user, who
 * gains nothing by interfering; a link in a file's place is removed, so that nothing is moved through it.
 */
const MOVE_IN = `${PATH_FUNCTIONS}
incoming=$1
shift
trap 'rm -rf "$incoming"' EXIT
take() {
  [ -e "$1" ] || return 0
  for fresh; do
    name=\${fresh##*/}
    if [ -L "./$name" ]; then rm -f "./$name"
    elif [ -d "./$name" ]; then refuse directory "$shown/$name"
    fi
  done
  mv -f "$@" ./ || exit 1
}
index=0
for directory; do
  enter "$directory" make
  take "$incoming/$index"/*
  take "$incoming/$index"/.[!.]*
  take "$incoming/$index"/..?*
  index=$((index + 1))
done
`;

const REMOVE_INCOMING = 'rm -rf "$1"';

/**
 * Writes files with one archive and one move for each file, as `RuntimeWorkspace.put` describes.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`, `LIMIT_EXCEEDED` for a full workspace, `BACKEND_FAILED`,
 * `ABORTED`. Nothing is written where a path or a source is bad.
 */
export async function putFiles(
  container: WorkspaceContainer,
  files: Iterable<FileEntry> | AsyncIterable<FileEntry>,
  options: CallOptions = {},
): Promise<void> {
  const { user } = container;
  const incoming = `${INCOMING}/${randomBytes(16).toString("hex")}`;
  const packed = incoming.slice(VOLUME.length + 1);
  await using archive = archiveWriter(options);
  const groups = directoryGroups();
  archive.directory(packed, ROOT_OWNER, 0o700);
  for await (const { path, content, executable = false } of abortable(files, options.signal)) {
    const index = groups.of(filePath(path));
    await archive.file(`${packed}/${index}/${nameOf(path)}`, content, user, executable ? 0o755 : 0o644);
  }
  const directories = groups.all();
  if (directories.length === 0) return;
  for (const index of directories.keys()) archive.directory(`${packed}/${index}`, user, 0o700);
  // Added last: before, a command could have redirected the engine, which runs as root.
  archive.directory(packed, user, 0o700);
  try {
    await putArchive(container, await archive.end(), options);
    const script = { script: MOVE_IN, args: [incoming, ...directories], as: "run" } as const;
    checkScript(await runScript(container, script, options), directories[0] ?? "", "Writing files");
  } catch (error) {
    for (const as of ["run", "root"] as const) {
      // The first failure is thrown.
      await runScript(container, { script: REMOVE_INCOMING, args: [incoming], as }).catch(() => undefined);
    }
    throw error;
  }
}

/** Files for one directory share a group, up to a limit; a file that replaces an earlier one gets another group. */
function directoryGroups() {
  const directories: string[] = [];
  const open = new Map<string, { readonly index: number; names: Set<string> }>();

  function of(path: string): number {
    const directory = parentOf(path);
    const name = nameOf(path);
    const group = open.get(directory);
    if (group && group.names.size < MAX_TOGETHER && !group.names.has(name)) {
      group.names.add(name);
      return group.index;
    }
    const index = directories.push(directory) - 1;
    open.set(directory, { index, names: new Set([name]) });
    return index;
  }

  return { of, all: (): readonly string[] => directories };
}
