import type { SkillAmounts, SkillRuleOptions } from "@skillwright/core";

export interface GitRepositoryOptions extends Pick<SkillRuleOptions, "leaveOut"> {
  /** `https://host/path`, `ssh://user@host/path` or `user@host:path`. Credentials in it are shown to nobody. */
  readonly url: string;
  /** A branch, a tag, or a full name such as `refs/pull/1/head`; what the server calls HEAD by default. */
  readonly ref?: string | undefined;
  /** Pins the repository: all 40 (or 64) hexadecimal digits of a commit's id. `ref` is not looked at then. */
  readonly commit?: string | undefined;
  /** The folder below which skills are looked for; all of the repository by default. */
  readonly path?: string | undefined;
  /** Absolute; `skillwright/git` in the user's directory for caches by default. Several processes may share it. */
  readonly cache?: string | undefined;
  /** Lets `http://` pass. False by default. */
  readonly allowHttp?: boolean | undefined;
  /** Lets `file://` and absolute paths pass. False by default. */
  readonly allowLocal?: boolean | undefined;
  /** The program; `git`, as the PATH has it, by default. 2.30 or later. */
  readonly git?: string | undefined;
  /** How long one question to the server, or one download, may take; 300,000 (five minutes) by default. */
  readonly timeoutMs?: number | undefined;
  readonly limits?:
    | (SkillAmounts & {
        /** How many folders below the top a skill may be; 6 by default. */
        readonly depth?: number | undefined;
        /** How many files of the commit are looked at; 100,000 by default. */
        readonly entries?: number | undefined;
      })
    | undefined;
}
