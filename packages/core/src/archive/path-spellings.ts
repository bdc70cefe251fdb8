import { parentsOf } from "../repository/path-claims.js";
import { foldedPath } from "./folded-path.js";

/** How each path and the folders above it are spelled, so that a second spelling of one of them is noticed. */
export interface PathSpellings {
  /** The spelling that came first, where it is another one. */
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
