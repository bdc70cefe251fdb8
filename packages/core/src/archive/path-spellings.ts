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
