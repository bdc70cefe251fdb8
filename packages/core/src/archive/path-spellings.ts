import { parentsOf } from "../repository/path-claims.js";

/** Remembers how each path and its parent directories are spelled, to detect a second spelling of the same path. */
export interface PathSpellings {
  /** Returns the first spelling of this path if it differs. */
  clash(path: string): string | undefined;
  keep(path: string): void;
}

export function pathSpellings(): PathSpellings {
  const spellings = new Map<string, string>();

  return {
    clash(path) {
      return [...parentsOf(path), path]
        .map((part) => ({ part, first: spellings.get(foldedPath(part)) }))
        .find(({ part, first }) => first !== undefined && first !== part)?.first;
    },
    keep(path) {
      for (const part of [...parentsOf(path), path]) spellings.set(foldedPath(part), part);
    },
  };
}

/**
 * Folds a path the way the most lenient file system compares it: ignoring case, Unicode form and invisible characters.
 * Two paths with the same folded form may be one file.
 */
export function foldedPath(path: string): string {
  const seen = path.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  // Upper case first, so that the long s and the sharp s become the letters they stand for.
  return seen.toUpperCase().toLowerCase().normalize("NFC");
}

const RESERVED =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?: *[.:].*| *)$/i;

/**
 * Explains why some system does not treat this path part as an ordinary file name: device names, a final dot or space,
 * a colon. The text fits the end of a sentence. Returns `undefined` for a name that means the same everywhere. Source:
 * SEC-04.
 */
export function fileNameProblem(name: string): string | undefined {
  if (RESERVED.test(name)) return "is the name of a device on Windows";
  if (/[. ]$/.test(name)) return "ends with a dot or a space, which Windows removes";
  if (name.includes(":")) return "contains a colon, which Windows reads as the name of a stream";
  return undefined;
}
