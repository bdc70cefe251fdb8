import { isContainedPath, SkillError } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";

/** A directory at this depth is shown, but not entered. */
export const MAX_DEPTH = 64;

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const LINK = 0o120000;

const LINE =
  /^([0-9a-f]{1,8}) (\d{1,16}) (\d{1,20}) (\d{1,10}) (\d{1,20}) (\d{1,10}) (\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,9})? \+0000 (\S+ \S+) \+0000 (.*)$/s;

export interface ListedFiles {
  /** Sorted by path bytes. */
  readonly files: readonly FileStat[];
  /** Exit code of `find`; `undefined` where it did not finish. */
  readonly ended: number | undefined;
}

/**
 * Parses the output of `find` and `stat`: entries separated by `//`.
 * @throws SkillError `BACKEND_FAILED` for output that `stat` does not produce.
 */
export function listedFiles(
  bytes: Uint8Array,
  { prefix, uid }: { readonly prefix: string; readonly uid: number },
): ListedFiles {
  // Each byte becomes one character, so that any name is preserved.
  const lines = Buffer.from(bytes).toString("latin1").split("//\n");
  const ended = /^ended (\d{1,3})$/.exec(lines.at(-2) ?? "")?.[1];
  const entries = lines.slice(0, -2).map((line) => listedEntry(line, prefix, uid));
  const sorted = entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { files: withoutHidden(sorted), ended: ended === undefined ? undefined : Number(ended) };
}

interface ListedEntry {
  /** The bytes of the name as printed by `find`, one character each. */
  readonly key: string;
  readonly file: FileStat;
}

function listedEntry(line: string, prefix: string, uid: number): ListedEntry {
  const [
    ,
    rawMode = "",
    size,
    inode,
    links,
    device,
    owner,
    day = "",
    time = "",
    part = "",
    changed,
    name = "",
  ] = LINE.exec(line) ?? [];
  if (name === "") throw unreadable(line);
  const mode = Number.parseInt(rawMode, 16);
  const key = name.replace(/^\.\//, "");
  const plainPath = plain(prefix, key);
  const depth = key.split("/").length - (prefix === "" ? 1 : 0);
  const open = Number(owner) === uid ? 0o500 : 0o005;
  const isEntered = (mode & open) === open && depth < MAX_DEPTH;
  const kind = plainPath === undefined ? "special" : kindOf(mode, isEntered);
  const modified = Date.parse(`${day}T${time}Z`) + Number(part || 0) * 1000;
  const file: FileStat = {
    path: plainPath ?? `${prefix}${shownName(key)}`,
    kind,
    size: Number(size),
    modifiedMs: modified,
    mark: [inode, size, day, time + part, changed].join("-").replaceAll(" ", "-"),
    ...(kind === "file" ? { executable: (mode & 0o100) !== 0 } : {}),
    ...(kind === "file" && Number(links) > 1
      ? { hardLinks: { count: Number(links), file: `${device}-${inode}` } }
      : {}),
  };
  return { key, file };
}

/**
 * The path of a name that can be requested; bytes that are not UTF-8, read as text, would name no file or another one.
 */
function plain(prefix: string, key: string): string | undefined {
  const bytes = Buffer.from(key, "latin1");
  const text = bytes.toString("utf8");
  const isSame = Buffer.from(text).equals(bytes);
  return isSame && isContainedPath(`${prefix}${text}`) ? `${prefix}${text}` : undefined;
}

function kindOf(mode: number, isEntered: boolean): FileStat["kind"] {
  const type = mode & FILE_TYPE;
  if (type === REGULAR) return "file";
  if (type === LINK) return "link";
  return type === DIRECTORY && isEntered ? "directory" : "special";
}

/** Omits entries below anything that is not shown as a directory, and duplicates. */
function withoutHidden(sorted: readonly ListedEntry[]): readonly FileStat[] {
  const closed = new Set<string>();
  const seen = new Set<string>();
  const shown = sorted.filter(({ key, file }) => {
    const above = key.slice(0, Math.max(0, key.lastIndexOf("/")));
    const isHidden = closed.has(above) || seen.has(file.path);
    if (isHidden || file.kind !== "directory") closed.add(key);
    seen.add(file.path);
    return !isHidden;
  });
  return shown.map(({ file }) => file);
}

function shownName(key: string): string {
  const slash = key.lastIndexOf("/") + 1;
  const above = key.slice(0, slash);
  // A name from elsewhere is shown with all its parts.
  const isBelow = above === "" || isContainedPath(above.slice(0, -1));
  const directory = isBelow ? Buffer.from(above, "latin1").toString("utf8") : "";
  return directory + escaped(isBelow ? key.slice(slash) : key);
}

function escaped(name: string): string {
  const bytes = name === "." || name === ".." || name.includes("/") ? /[^ -~]|[\\./]/g : /[^ -~]|\\/g;
  return name.replace(bytes, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function unreadable(line: string): SkillError {
  const shown = JSON.stringify(line.slice(0, 100));
  return new SkillError(
    "BACKEND_FAILED",
    `The output of stat in the container cannot be read: ${shown}. Use an image with busybox or coreutils.`,
  );
}
