import type { ByteSource, ByteStream } from "../byte-stream.js";
import type { CallOptions, Closable } from "../closable.js";

/** Whose artifacts: nothing is shared between two scopes. Each part is 1 to 128 characters of any kind but control characters and lone surrogates. */
export interface ArtifactScope {
  readonly app: string;
  readonly user: string;
  readonly session: string;
}

export interface ArtifactVersion {
  /** May contain `/` and `@`; only a trailing `@<digits>` is a version, and only in references. */
  readonly name: string;
  /** 0 for the first, then one more each time. */
  readonly version: number;
  readonly size: number;
  readonly mimeType: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Where a person finds it, where there is such a place: an absolute path or a URL without credentials. */
  readonly location?: string;
  /** What the saver said of it, such as run id and skill digest. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface SaveArtifactOptions extends CallOptions {
  /** `application/octet-stream` by default. */
  readonly mimeType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Saved output files with versions, kept apart from workspaces. Promises, held by `testArtifactStore`: a save that fails
 * or is killed leaves no version; two saves at once get two numbers; versions are never written again.
 */
export interface ArtifactStore extends Closable {
  /** @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for the name; what the content's stream throws. */
  save(
    scope: ArtifactScope,
    name: string,
    content: ByteSource,
    options?: SaveArtifactOptions,
  ): Promise<ArtifactVersion>;

  /** The newest version by default. @throws SkillError `ARTIFACT_NOT_FOUND`. */
  open(
    scope: ArtifactScope,
    name: string,
    options?: CallOptions & { version?: number | undefined },
  ): Promise<{ readonly artifact: ArtifactVersion; readonly content: ByteStream }>;

  /** The newest version of each, sorted by name. */
  list(scope: ArtifactScope, options?: CallOptions): Promise<readonly ArtifactVersion[]>;

  /** All versions, oldest first; empty for an unknown name. */
  versions(scope: ArtifactScope, name: string, options?: CallOptions): Promise<readonly ArtifactVersion[]>;

  /** Removes all versions; `false` when there was none. */
  delete(scope: ArtifactScope, name: string, options?: CallOptions): Promise<boolean>;
}

export interface ArtifactReference {
  readonly name: string;
  /** Missing for the newest. */
  readonly version?: number;
}

/** Reads `name` or `name@version`; only a trailing `@` and digits after at least one character is a version (TR-36 to TR-38). */
export function parseArtifactReference(text: string): ArtifactReference {
  const match = /^(.+)@(\d{1,9})$/s.exec(text);
  return match?.[1] && match[2] ? { name: match[1], version: Number(match[2]) } : { name: text };
}
