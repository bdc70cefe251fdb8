/** Where the files of one skill come from. */
export type SkillSource = DigestedSource | ListedSource;

/** One file that holds them all, or is the only one. */
export interface DigestedSource {
  readonly kind: "archive" | "skill-md";
  /** The skill's folder in the repository. */
  readonly path: string;
  readonly url: URL;
  /** Of the raw bytes. */
  readonly digest: string;
}

/** Files by their own addresses below a folder, as indexes of version 0.1 have it. */
export interface ListedSource {
  readonly kind: "files";
  readonly path: string;
  readonly folder: URL;
  readonly files: readonly string[];
}

/** Equal for sources that cannot give different files. `undefined` where the server may change them at any time. */
export function contentKey(source: SkillSource): string | undefined {
  if (source.kind === "files") return undefined;
  return `${source.path} ${source.kind} ${source.url.href} ${source.digest}`;
}
