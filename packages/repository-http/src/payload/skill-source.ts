/** Where the files of one skill, or of a tree of skills, are fetched from. */
export type SkillSource = DigestedSource | ListedSource;

/** A single file that contains them all, or is the only one. A `tree` is an archive of several skills. */
export interface DigestedSource {
  readonly kind: "archive" | "tree" | "skill-md";
  /** The skill's folder in the repository; for a tree the name of the archive. */
  readonly path: string;
  readonly url: URL;
  /** Digest of the raw bytes. */
  readonly digest: string;
}

/** Files at separate URLs below a folder, as in indexes of version 0.1. */
export interface ListedSource {
  readonly kind: "files";
  readonly path: string;
  readonly folder: URL;
  readonly files: readonly string[];
}

/** Equal for sources that always have the same files. `undefined` where the server may change them at any time. */
export function contentKey(source: SkillSource): string | undefined {
  if (source.kind === "files") return undefined;
  return `${source.path} ${source.kind} ${source.url.href} ${source.digest}`;
}
