import type { HostFolderOptions } from "./host-folder/host-folder-options.js";
import type { IsolationWish } from "./isolation/isolation-in-force.js";
import type { SkillCopies } from "./isolation/skill-copies.js";
import type { ChosenDefaults } from "./limits/default-limits.js";

export interface LocalRuntimeOptions {
  /** Directory for workspaces, created where it is missing. Defaults to `<tmp>/skillwright-<uid>/workspaces`. */
  readonly root?: string | undefined;
  /**
   * Runtimes with different namespaces never see each other's workspaces, also below one root: those of a namespace are
   * below `<root>/.skillwright/of-<namespace>`. Up to 64 letters, digits, `-` and `_`. Without `root`, it defaults to a namespace
   * that is made from the working directory, so that programs in different folders do not share workspaces; with `root`, to none. A policy
   * may end every workspace that its runtime sees.
   */
  readonly namespace?: string | undefined;
  /**
   * `sandbox` (default): uses bubblewrap; nothing runs where it does not work. `auto`: runs without isolation where
   * there is no sandbox, and every result says so. `none`: runs with all rights of this user.
   */
  readonly isolation?: IsolationWish | undefined;
  /**
   * Replaces the default limits of runs: 256 processes, half of the machine's memory, 2 GiB of disk, 100,000 inodes,
   * one core; `undefined` disables one. A limit that this machine cannot enforce is a diagnostic of `capabilities`.
   */
  readonly limits?: ChosenDefaults | undefined;
  /**
   * `none` (default): commands see the staged skills, which they must not change. `run`: each run has its own writable
   * copy of every staged skill, removed afterwards; requires a sandbox. `workspace`: one copy for all runs, until the
   * skill is replaced or the workspace destroyed. Copies count towards `diskBytes` and `inodes`.
   */
  readonly skillCopies?: SkillCopies | undefined;
  /**
   * How long a run goes on when every process that follows it is dead, in milliseconds. Defaults to 60,000. A
   * process whose event loop stalls for longer lets its runs end.
   */
  readonly leaseMs?: number | undefined;
  /**
   * A folder of the user that commands see at `work/project` and may change. Defaults to none. Limits on disk and inodes
   * do not count it. Ask the user before.
   */
  readonly hostFolder?: HostFolderOptions | undefined;
}
