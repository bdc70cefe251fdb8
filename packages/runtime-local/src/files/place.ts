/** The location of a workspace path on this machine. */
export interface Place {
  /** A directory that commands cannot replace: the tree, or a staged skill's directory. */
  readonly base: string;
  /** The base's path in the workspace, with a trailing slash; empty for the tree. */
  readonly prefix: string;
  /** The path parts below the base. */
  readonly parts: readonly string[];
}

/** The path in the workspace, for messages and results. */
export function placePath({ prefix, parts }: Place): string {
  return prefix + parts.join("/");
}

/** The directory that contains a place, and its name there. */
export function parentPlace({ base, prefix, parts }: Place): { parent: Place; name: string } {
  return { parent: { base, prefix, parts: parts.slice(0, -1) }, name: parts.at(-1) ?? "" };
}
