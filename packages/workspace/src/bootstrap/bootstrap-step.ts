import type { JsonObject } from "@skillwright/core";

export interface BootstrapFile {
  /** Relative to the workspace's root, below `work/`. */
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly executable?: boolean | undefined;
}

/**
 * Something that a workspace needs before commands run in it, such as a skill's packages: files first, then commands.
 * Its fingerprint is made of all of this but `timeoutMs`, of the steps before it, and of the skill's digest where it
 * belongs to one. What the commands find on the machine, such as the version of an interpreter, is not part of it.
 */
export interface BootstrapStep {
  /** 1 to 128 characters, once in a list. */
  readonly name: string;
  readonly files?: readonly BootstrapFile[] | undefined;
  /**
   * Texts for the shell, each started in the workspace's root. They have to bear being run again: a step that failed or
   * was interrupted begins anew.
   */
  readonly commands?: readonly string[] | undefined;
  /** False by default; `true` only where `allowNetwork` is. */
  readonly network?: boolean | undefined;
  /** For each command; 300,000 by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Directories below `work/` that the commands make and that are all they leave, such as `work/node_modules`. They are
   * removed before the commands run, and where there is a `bootstrapCache` other workspaces get them without running them.
   * No two steps of a list may name the same, or one inside another.
   */
  readonly cache?: readonly string[] | undefined;
}

/** What steps for a skill may depend on. */
export interface BootstrapSkill {
  readonly name: string;
  readonly digest: string;
  readonly frontmatter: JsonObject;
  /** Paths of its files, sorted by bytes. */
  readonly files: readonly string[];
}

/**
 * Steps for every workspace, or those that a skill needs. The function is called before each run of a skill, so it has to
 * be quick and give the same for the same skill.
 */
export type BootstrapSteps =
  | readonly BootstrapStep[]
  | ((skill: BootstrapSkill) => readonly BootstrapStep[] | Promise<readonly BootstrapStep[]>);
