import type { SkillAmounts, SkillRuleOptions } from "@skillwright/core/adapter";

export interface GitRepositoryOptions extends Pick<SkillRuleOptions, "leaveOut"> {
  /** `https://host/path`, `ssh://user@host/path` or `user@host:path`. Credentials in it are never shown. */
  readonly url: string;
  /** A branch, a tag, or a full name such as `refs/pull/1/head`. Defaults to the server's HEAD. */
  readonly ref?: string | undefined;
  /** Pins the repository to a commit: all 40 (or 64) hexadecimal digits of its id. `ref` is then ignored. */
  readonly commit?: string | undefined;
  /** The folder below which skills are searched. Defaults to the whole repository. */
  readonly path?: string | undefined;
  /**
   * Absolute path of the cache. Defaults to `skillwright/git` in the user's cache directory. Several processes may
   * share it.
   */
  readonly cache?: string | undefined;
  /** Allows `http://`. Defaults to false. */
  readonly allowHttp?: boolean | undefined;
  /** Allows `file://` and absolute paths. Defaults to false. */
  readonly allowLocal?: boolean | undefined;
  /** The git program, version 2.30 or later. Defaults to `git` on the PATH. */
  readonly git?: string | undefined;
  /** Timeout in milliseconds for one query to the server, or one download. Defaults to 300,000 (five minutes). */
  readonly timeoutMs?: number | undefined;
  readonly limits?:
    | (SkillAmounts & {
        /** Maximum depth of a skill below the top folder. Defaults to 6. */
        readonly depth?: number | undefined;
        /** Maximum number of the commit's files that are examined. Defaults to 100,000. */
        readonly entries?: number | undefined;
      })
    | undefined;
}
