/** Where a path of a workspace lies on this machine. */
export interface Place {
  /** A directory that commands cannot replace: the tree, or a staged skill's. */
  readonly base: string;
  /** What the base is called in the workspace, with a slash after it; empty for the tree. */
  readonly prefix: string;
  /** The way from the base. */
  readonly parts: readonly string[];
}

/** The path in the workspace, for messages and results. */
export function placePath({ prefix, parts }: Place): string {
  return prefix + parts.join("/");
}

/** The directory a place is in, and its name there. */
export function parentPlace({ base, prefix, parts }: Place): { parent: Place; name: string } {
  return { parent: { base, prefix, parts: parts.slice(0, -1) }, name: parts.at(-1) ?? "" };
}
