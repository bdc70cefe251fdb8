/** The location of a workspace path on this machine. */
export interface Place {
  /** A directory that commands cannot replace: the tree, or a staged skill's directory. */
  readonly base: string;
  /** The base's path in the workspace, with a trailing slash; empty for the tree. */
  readonly prefix: string;
  /** The path parts below the base. */
  readonly parts: readonly string[];
  /** True in the user's folder, which may be on another file system. */
  readonly isProject?: boolean;
}

/** The path in the workspace, for messages and results. */
export function placePath({ prefix, parts }: Place): string {
  return parts.length === 0 ? prefix.replace(/\/$/, "") : prefix + parts.join("/");
}

/** The directory that contains a place, and its name there. */
export function parentPlace(place: Place): { parent: Place; name: string } {
  const { parts } = place;
  return { parent: { ...place, parts: parts.slice(0, -1) }, name: parts.at(-1) ?? "" };
}
