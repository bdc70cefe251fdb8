import type { ByteSource, ByteStream } from "../byte-stream.js";
import type { CallOptions, Closable } from "../closable.js";

/**
 * Owner of the artifacts. Two scopes share nothing. Each part has 1 to 128 characters, except control characters and
 * lone surrogates.
 */
export interface ArtifactScope {
  readonly app: string;
  readonly user: string;
  readonly session: string;
}

export interface ArtifactVersion {
  /** May contain `/` and `@`. Only a trailing `@<digits>` is a version, and only in references. */
  readonly name: string;
  /** Starts at 0 and increases by one with each save. */
  readonly version: number;
  readonly size: number;
  readonly mimeType: string;
  /** SHA-256 as 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** ISO 8601 time. */
  readonly createdAt: string;
  /**
   * Where a person finds the file: an absolute path or a URL without credentials. Missing where there is no such place.
   */
  readonly location?: string;
  /** Data set by the caller that saved it, such as run id and skill digest. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface SaveArtifactOptions extends CallOptions {
  /** Defaults to `application/octet-stream`. */
  readonly mimeType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Stores saved output files with versions, apart from workspaces. Promises, verified by `testArtifactStore`: a save
 * that fails or is killed leaves no version; two concurrent saves get two numbers; a version is never overwritten.
 */
export interface ArtifactStore extends Closable {
  /** @throws SkillError `PATH_OUTSIDE` or `PATH_INVALID` for the name; also whatever the content's stream throws. */
  save(
    scope: ArtifactScope,
    name: string,
    content: ByteSource,
    options?: SaveArtifactOptions,
  ): Promise<ArtifactVersion>;

  /** Opens the newest version by default. @throws SkillError `ARTIFACT_NOT_FOUND`. */
  open(
    scope: ArtifactScope,
    name: string,
    options?: CallOptions & { version?: number | undefined },
  ): Promise<{ readonly artifact: ArtifactVersion; readonly content: ByteStream }>;

  /** Returns the newest version of each artifact, sorted by name. */
  list(scope: ArtifactScope, options?: CallOptions): Promise<readonly ArtifactVersion[]>;

  /** Returns all versions, oldest first; empty for an unknown name. */
  versions(scope: ArtifactScope, name: string, options?: CallOptions): Promise<readonly ArtifactVersion[]>;

  /** Removes all versions. Returns `false` when there was none. */
  delete(scope: ArtifactScope, name: string, options?: CallOptions): Promise<boolean>;
}
