import { type ByteStream, checkAborted, containedPath, type SkillReader } from "@skillwright/core";
import { readUnchanged } from "../files/read-unchanged.js";
import type { FilePlace } from "./load-folder.js";

/**
 * Reads small files by what was seen when the skill was loaded: the same stamp is the same file, so that no link can have
 * come in the way. Everything else goes the way of a single file.
 */
export function skillReader(
  places: ReadonlyMap<string, FilePlace> | undefined,
  open: (path: string) => Promise<ByteStream>,
  signal: AbortSignal | undefined,
): SkillReader {
  return async (path) => {
    checkAborted(signal);
    const place = places?.get(containedPath(path));
    return (place && (await readUnchanged(place.location, place.stamp))) ?? (await open(path));
  };
}
