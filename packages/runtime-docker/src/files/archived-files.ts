import type { ByteStream, Diagnostic } from "@skillwright/core";
import type { GetManyOptions } from "@skillwright/core/adapter";
import { ROOT, type WorkspaceContainer } from "../container/workspace-container.js";
import { archiveEntries, type ContainerArchiveEntry } from "./archive-entries.js";
import { archiveNames } from "./archive-names.js";
import { spool } from "./spool.js";

/** Larger files are requested separately. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Maximum data of one archive stored on this machine. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Files read from one archive. Disposing frees their disk space. */
export interface ArchivedFiles extends AsyncDisposable {
  /** `undefined` for a file to be requested separately: it was missing, or not a plain file that a run could read. */
  content(path: string): ByteStream | undefined;
}

/**
 * Reads many files below one of the workspace's own directories from one archive of it. Only root can replace that
 * directory; the archive is trusted as little as a command's output. An entry is accepted where its name equals one of
 * the paths and a run could have read it; the first of a name counts. All of it is read at once, because the engine
 * answers no other call about the container meanwhile.
 * @throws SkillError `BACKEND_FAILED` for a truncated or invalid archive, `ABORTED`; nothing is kept then.
 */
export async function archivedFiles(
  container: WorkspaceContainer,
  root: string,
  paths: readonly string[],
  { signal, tell = () => undefined }: GetManyOptions = {},
): Promise<ArchivedFiles> {
  const wanted = new Set(paths);
  const names = archiveNames(root, container.user.uid);
  const waste = archiveWaste(wanted.size);
  const kept = spool();
  let outside: string | undefined;
  const places = new Map<string, { readonly offset: number; readonly size: number }>();

  async function take(entry: ContainerArchiveEntry): Promise<boolean> {
    const { name, size } = entry;
    if (!wanted.has(name) || size > MAX_FILE_BYTES || !names.isReadable(entry)) return false;
    const offset = kept.size();
    if (places.has(name)) tell(twice(name));
    if (places.has(name) || offset + size > MAX_BYTES) return false;
    for await (const piece of entry.content) await kept.append(piece);
    places.set(name, { offset, size });
    return true;
  }

  try {
    for await (const entry of archiveEntries(container, `${ROOT}/${root}`, { signal })) {
      if (!names.note(entry)) outside ||= entry.name;
      else if (await take(entry)) waste.taken();
      else if (waste.isTooMuch(entry.size)) break;
      if (places.size === wanted.size) break;
    }
  } catch (error) {
    await kept[Symbol.asyncDispose]();
    throw error;
  }
  if (outside !== undefined) tell(elsewhere(root, outside));
  return {
    content(path) {
      const place = places.get(path);
      return place && kept.read(place.offset, place.size);
    },
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}

function twice(path: string): Diagnostic {
  return {
    code: "archive.duplicate",
    severity: "warning",
    message: `The engine's archive has ${path} more than once; the first one is used.`,
    hint: "Engines do not do this: check for a proxy between this machine and the engine.",
    path,
  };
}

function elsewhere(root: string, name: string): Diagnostic {
  return {
    code: "archive.outside",
    severity: "warning",
    message: `The engine's archive of ${root}/ contains paths that do not exist there, such as ${JSON.stringify(name.slice(0, 100))}; they are skipped.`,
    hint: "Engines do not do this: check for a proxy between this machine and the engine.",
    path: root,
  };
}

/** Cost of skipping bytes, and of requesting a single file, as measured on one machine: only their ratio matters. */
const BYTES_A_MS = 200 * 1024;
const ENTRIES_A_MS = 6;
const MS_A_FILE = 50;
const MAX_WASTED_BYTES = 256 * 1024 * 1024;

/** Decides whether to read on in an archive for the remaining files. */
interface ArchiveWaste {
  taken(): void;
  /** Call it for an entry that is skipped, before its bytes are read. */
  isTooMuch(bytes: number): boolean;
}

/** Never wastes much more than the cost of requesting each file separately. */
function archiveWaste(wanted: number): ArchiveWaste {
  let left = wanted;
  let bytes = 0;
  let entries = 0;
  return {
    taken() {
      left -= 1;
    },
    isTooMuch(more) {
      bytes += more;
      entries += 1;
      return bytes > MAX_WASTED_BYTES || bytes / BYTES_A_MS + entries / ENTRIES_A_MS > left * MS_A_FILE;
    },
  };
}
