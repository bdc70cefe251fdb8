import type { ByteSource, ByteStream } from "../byte-stream.js";
import type { CallOptions, Closable } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { SkillError } from "../skill-error.js";
import type { WorkspaceRegistry } from "../workspace/workspace-registry.js";
import type { Isolation, RunCommand, RunHandle, RunLimits } from "./run-command.js";

/** What a runtime enforces on this machine, as found out by trying. */
export interface RuntimeCapabilities {
  readonly isolation: Isolation;
  /** Limits that hold for everything a run starts, whatever its processes do, not only for the command's first process. */
  readonly limits: readonly (keyof RunLimits)[];
  /** True when the network can be turned off. */
  readonly networkOff: boolean;
  /**
   * True when a run ends only with its last process, however its processes detach and hide themselves. At the level `none`
   * a command still has the user's rights over whatever ends it; what it could undo is then a diagnostic.
   */
  readonly endsTree: boolean;
  /** True when staged skills cannot be changed by a run. */
  readonly readOnlySkills: boolean;
  /** Names of all programs on the PATH of commands. Missing where the runtime does not tell. */
  readonly programs?: readonly string[];
  /** What is weaker or missing on this machine, such as an interpreter that commands cannot see. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface FileEntry {
  /** Relative, checked with `containedPath`. */
  readonly path: string;
  readonly content: ByteSource;
  readonly executable?: boolean;
}

export interface FileStat {
  /** Relative to the workspace's root. */
  readonly path: string;
  /**
   * What is neither read nor entered is `special`: devices, sockets, pipes, directories that cannot be opened or lie
   * deeper than 64, and names that `containedPath` refuses, which are shown escaped.
   */
  readonly kind: "file" | "directory" | "link" | "special";
  readonly size: number;
  /** Milliseconds since 1970, with fractions where the file system has them. */
  readonly modifiedMs: number;
  /** Of a regular file: whether its owner may run it. Missing where the runtime cannot tell. */
  readonly executable?: boolean;
  /** Changes when the content was touched; for comparing before and after a run. Opaque. */
  readonly mark: string;
  /** Only of a regular file with several names: how many, here or elsewhere, and what they have in common. Opaque. */
  readonly hardLinks?: { readonly count: number; readonly file: string };
}

/** What `getMany` gives for one of its paths: the content, or why `get` would have none. */
export type RequestedFile =
  | {
      readonly path: string;
      /** To be read before the next file is asked for; what is left of it then is passed over. */
      readonly content: ByteStream;
    }
  | { readonly path: string; readonly error: SkillError };

export interface GetManyOptions extends CallOptions {
  /** Hears what was passed over though nobody asked for it, such as a second file under a name. */
  readonly tell?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** A skill to be shown at `skills/<name>`. */
export interface StagedSkill {
  readonly name: string;
  readonly digest: string;
  /** An absolute path on this machine that holds it, links included, and stays as it is while it is staged; else `files`. */
  readonly directory?: string | undefined;
  /** The files, for runtimes that cannot use the directory. */
  readonly files: () => AsyncIterable<FileEntry>;
}

/**
 * Makes the workspaces' processes. Narrow on purpose: inputs, outputs, limits and policies are built over it once, in
 * the workspace package. Promises, held by `testWorkspaceRuntime`, stand at each method.
 */
export interface WorkspaceRuntime extends Closable {
  /** For messages: `local`, `docker`. */
  readonly label: string;

  /** Found by trying, once; costs no process afterwards. */
  capabilities(options?: CallOptions): Promise<RuntimeCapabilities>;

  /**
   * A new workspace with the directories of `WORKSPACE_LAYOUT`. The id is 1 to 64 letters, digits, `-` and `_`.
   * @throws SkillError `CONFLICT` when the id is taken, `INPUT_INVALID` for a bad id, `ISOLATION_UNAVAILABLE`.
   */
  create(id: string, options?: CallOptions): Promise<RuntimeWorkspace>;

  /**
   * The workspace with that id, from whichever process it came; `undefined` where there is none.
   * @throws SkillError `WORKSPACE_DAMAGED` where what the runtime has written down about it cannot be read.
   */
  attach(id: string, options?: CallOptions): Promise<RuntimeWorkspace | undefined>;

  /** Ends its runs and removes it; `true` once, then `false`. */
  destroy(id: string, options?: CallOptions): Promise<boolean>;

  /** All ids, sorted, those of damaged ones included. */
  list(options?: CallOptions): Promise<readonly string[]>;

  /**
   * Writes down anew what is known about a damaged workspace: its files stay, its skills have to be staged again and its
   * notes are gone. `false` where it is not damaged. Missing where the runtime cannot.
   * @throws SkillError `UNSUPPORTED` for one that a later version of the runtime made.
   */
  repair?(id: string, options?: CallOptions): Promise<boolean>;

  /** A registry for all processes that use the same workspaces, for callers that have none. Missing where there is none. */
  readonly registry?: WorkspaceRegistry;
}

/** One workspace as a runtime sees it. After `destroy` every call ends with `WORKSPACE_NOT_FOUND`. */
export interface RuntimeWorkspace {
  readonly id: string;
  /** Absolute path of the root as the commands see it. */
  readonly root: string;

  /** True where `stage` copies the files of a skill, so that a directory made for it first would hold them twice. */
  readonly copiesSkills?: boolean;

  /**
   * Shows the skill at `skills/<name>`, replacing another digest there in one step; the same digest costs nothing.
   * Read-only where `capabilities.readOnlySkills`. Beside the files stand the links of `SKILL_LINKS`.
   */
  stage(skill: StagedSkill, options?: CallOptions): Promise<void>;
  unstage(name: string, options?: CallOptions): Promise<void>;
  /** Digest by name, remembered outside the commands' reach; costs no look at the files. */
  staged(options?: CallOptions): Promise<ReadonlyMap<string, string>>;

  /**
   * Keeps a short text under a key, outside the commands' reach, until the workspace is destroyed; `undefined` takes it
   * away. Missing where the runtime cannot, and `notes` with it.
   */
  note?(key: string, text: string | undefined, options?: CallOptions): Promise<void>;
  /** What `note` keeps, by key, from whichever process; costs no look at the files. */
  notes?(options?: CallOptions): Promise<ReadonlyMap<string, string>>;

  /**
   * Starts the command. When its result settles no process of it exists, where `capabilities.endsTree`.
   * @throws SkillError `UNSUPPORTED` for a limit or network setting that is not enforced, `PATH_INVALID` or
   *   `FILE_NOT_FOUND` for the directory, `INPUT_INVALID` for variable names that are not POSIX or steer the loader.
   */
  start(command: RunCommand, options?: CallOptions): Promise<RunHandle>;

  /**
   * Writes files below `work/`, `out/` or `runs/`, making directories; an existing file is replaced in one step.
   * Links made by a command are never followed. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  put(files: Iterable<FileEntry> | AsyncIterable<FileEntry>, options?: CallOptions): Promise<void>;

  /**
   * A regular file's bytes. Links are never followed and special files never opened.
   * @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  get(path: string, options?: CallOptions): Promise<ByteStream>;

  /**
   * Many files for the price of few calls, in constant memory. Gives for every path, in the order of the paths, what `get`
   * would: its content, or the error. Missing where many calls of `get` cost no more.
   * @throws SkillError only for what stands in the way of all of them: `WORKSPACE_NOT_FOUND`, `BACKEND_FAILED`, `ABORTED`.
   */
  getMany?(paths: Iterable<string>, options?: GetManyOptions): AsyncIterable<RequestedFile>;

  /**
   * Makes a link at `path` to another place of the workspace, both relative to the root; a file or link that is there is
   * replaced. The place need not exist. Missing where the runtime cannot. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  link?(path: string, to: string, options?: CallOptions): Promise<void>;

  /**
   * Removes a file, link or whole directory below `work/`, `out/` or `runs/`, links not followed; `false` where there is
   * none. Missing where the runtime cannot. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  remove?(path: string, options?: CallOptions): Promise<boolean>;

  /** Everything below a directory (default all of `work/`, `out/` and `runs/`), sorted by path, links not followed. */
  list(path?: string, options?: CallOptions): Promise<readonly FileStat[]>;
}

/** A workspace that can be put to sleep. */
export interface PausableWorkspace extends RuntimeWorkspace {
  pause(options?: CallOptions): Promise<void>;
  resume(options?: CallOptions): Promise<void>;
}
