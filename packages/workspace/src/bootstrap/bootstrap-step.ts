import type { JsonObject } from "@skillwright/core";

export interface BootstrapFile {
  /** Relative to the workspace's root, below `work/`. */
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly executable?: boolean | undefined;
}

/**
 * Something that a workspace needs before commands run in it, such as a skill's packages: files first, then commands.
 * Its fingerprint covers all of this except `timeoutMs`, the preceding steps, and the digest of the skill that it
 * belongs to, if any. It does not cover what the commands find on the machine, such as the version of an interpreter.
 */
export interface BootstrapStep {
  /** 1 to 128 characters, unique within a list. */
  readonly name: string;
  readonly files?: readonly BootstrapFile[] | undefined;
  /**
   * Shell texts, each started in the workspace's root. They must be repeatable: a step that failed or was interrupted
   * starts again.
   */
  readonly commands?: readonly string[] | undefined;
  /** Defaults to false. `true` is accepted only with `allowNetwork`. */
  readonly network?: boolean | undefined;
  /** Timeout of each command in milliseconds. Defaults to 300,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Directories below `work/` that hold everything the commands produce, such as `work/node_modules`. They are removed
   * before the commands run. With a `bootstrapCache`, other workspaces get them without running the commands. No two
   * steps of a list may name the same directory, or one inside another.
   */
  readonly cache?: readonly string[] | undefined;
}

/** Properties of a skill that its steps may depend on. */
export interface BootstrapSkill {
  readonly name: string;
  readonly digest: string;
  readonly frontmatter: JsonObject;
  /** Paths of the skill's files, sorted by bytes. */
  readonly files: readonly string[];
}

/**
 * Steps for every workspace, or a function that returns the steps for a skill. The function is called before each run
 * of a skill, so it must be fast and return the same steps for the same skill.
 */
export type BootstrapSteps =
  | readonly BootstrapStep[]
  | ((skill: BootstrapSkill) => readonly BootstrapStep[] | Promise<readonly BootstrapStep[]>);
