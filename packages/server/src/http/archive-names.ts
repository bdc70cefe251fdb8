import { isContainedPath } from "@skillwright/core";
import { fileNameProblem, foldedPath, parentsOf } from "@skillwright/core/adapter";

const MAX_PART_BYTES = 255;

/**
 * Maps names of files to paths that every system can unpack into one folder. `_` replaces characters and endings that Windows
 * refuses, and precedes names of devices. A path that some system would take for another path, or for a folder, gets a number.
 * Names that every system accepts stay as they are.
 */
export function archiveNames(names: readonly string[]): ReadonlyMap<string, string> {
  const wanted = new Map(names.map((name) => [name, name.split("/").map(fitPart).join("/")]));
  const taken = new Set([...wanted.values()].flatMap(parentsOf).map(foldedPath));
  const given = new Map<string, string>();
  const isFit = (name: string) => wanted.get(name) === name;
  for (const name of [...names.filter(isFit), ...names.filter((one) => !isFit(one))]) {
    let path = wanted.get(name) ?? name;
    for (let n = 2; taken.has(foldedPath(path)) || !isContainedPath(path); n++)
      path = numbered(wanted.get(name) ?? name, n);
    taken.add(foldedPath(path));
    given.set(name, path);
  }
  return given;
}

function fitPart(part: string): string {
  const plain = ended(part.replace(/[<>:"|?*\\]/g, "_"));
  return fileNameProblem(plain) === undefined ? plain : ended(cut(`_${plain}`));
}

/** Windows removes dots and spaces at the end. */
function ended(part: string): string {
  return part.replace(/[. ]+$/, ({ length }) => "_".repeat(length));
}

/** Adds a number before the extension. If the path would then be too long, its folders are dropped. */
function numbered(path: string, n: number): string {
  const at = path.lastIndexOf("/") + 1;
  const [, stem = "", extension = ""] = /^(.+?)(\.[^.]{1,20})?$/s.exec(path.slice(at)) ?? [];
  const end = `_${n}${extension}`;
  const name = cut(stem, MAX_PART_BYTES - Buffer.byteLength(end)) + end;
  const whole = path.slice(0, at) + name;
  return isContainedPath(whole) ? whole : name;
}

/** The longest beginning of the text that has at most so many bytes, in whole characters. */
function cut(text: string, bytes = MAX_PART_BYTES): string {
  let whole = text;
  while (Buffer.byteLength(whole) > bytes) whole = [...whole].slice(0, -1).join("");
  return whole;
}
