import type { ByteSource, ByteStream } from "../byte-stream.js";
import type { CallOptions, Closable } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { SkillError } from "../skill-error.js";
import type { WorkspaceRegistry } from "../workspace/workspace-registry.js";
import type { HostFolder } from "./host-folder.js";
import type { Isolation, RunCommand, RunHandle, RunLimits } from "./run-command.js";

/** What a runtime enforces on this machine, determined by trying it. */
export interface RuntimeCapabilities {
  readonly isolation: Isolation;
  /** Limits that apply to everything a run starts, not only to the command's first process. */
  readonly limits: readonly (keyof RunLimits)[];
  /**
   * Those of `limits` that are held by measuring, so that a run may exceed them before it is ended. The others are never exceeded.
   * Missing where there is none.
   */
  readonly measuredLimits?: readonly (keyof RunLimits)[];
  /** True when the network can be turned off. */
  readonly networkOff: boolean;
  /**
   * True when a run ends only with its last process, however its processes detach and hide. At level `none` a command
   * has the user's rights and could interfere with whatever ends it; a diagnostic then says so.
   */
  readonly endsTree: boolean;
  /** True when staged skills cannot be changed by a run. */
  readonly readOnlySkills: boolean;
  /**
   * Where commands see a copy of each staged skill that they may write to: `run`, one for each run, which ends with it;
   * `workspace`, one until the skill is replaced or the workspace destroyed. Missing where they see the staged skill itself.
   */
  readonly skillCopies?: "run" | "workspace";
  /** Names of all programs on the PATH of commands. Missing where the runtime cannot tell. */
  readonly programs?: readonly string[];
  /** What is weaker or missing on this machine, such as an interpreter that commands cannot see. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface FileEntry {
  /** Relative path, checked with `containedPath`. */
  readonly path: string;
  readonly content: ByteSource;
  readonly executable?: boolean;
}

export interface FileStat {
  /** Relative to the workspace's root. */
  readonly path: string;
  /**
   * `special` entries are neither read nor entered: devices, sockets, pipes, directories that cannot be opened or are
   * nested deeper than 64, and names that `containedPath` refuses, which are shown escaped.
   */
  readonly kind: "file" | "directory" | "link" | "special";
  readonly size: number;
  /** Milliseconds since 1970, with fractions where the file system supports them. */
  readonly modifiedMs: number;
  /** For a regular file: whether its owner may execute it. Missing where the runtime cannot tell. */
  readonly executable?: boolean;
  /** Opaque mark that changes when the content was modified. Compare it before and after a run. */
  readonly mark: string;
  /**
   * Present only for a regular file with several names: the number of names, inside or outside the workspace, and an
   * opaque id of the file they share.
   */
  readonly hardLinks?: { readonly count: number; readonly file: string };
}

/** What `getMany` yields for one of its paths: the content, or the error that `get` would throw. */
export type RequestedFile =
  | {
      readonly path: string;
      /** Read it before requesting the next file; the unread rest is discarded then. */
      readonly content: ByteStream;
    }
  | { readonly path: string; readonly error: SkillError };

export interface GetManyOptions extends CallOptions {
  /** Receives diagnostics about skipped entries, such as a second file under one name. */
  readonly tell?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** A skill to be staged at `skills/<name>`. */
export interface StagedSkill {
  readonly name: string;
  readonly digest: string;
  /**
   * Absolute path of a directory on this machine that holds the skill, links included, and does not change while it is
   * staged. Without it, `files` is used.
   */
  readonly directory?: string | undefined;
  /** The files, for runtimes that cannot use the directory. */
  readonly files: () => AsyncIterable<FileEntry>;
}

export interface CreateWorkspaceOptions extends CallOptions {
  /** True where commands will request the network. Default `false`. */
  readonly network?: boolean | undefined;
  /**
   * True where the caller knows that nobody else is creating a workspace with this id, for example because it holds a
   * lease of the id. A workspace that a killed process left unfinished is then replaced at once. Without this option, the id
   * may stay taken for a while. A complete workspace is never replaced. Default `false`.
   */
  readonly replaceUnfinished?: boolean | undefined;
}

/**
 * Creates workspaces and runs their processes. Narrow on purpose: inputs, outputs, limits and policies are built over
 * it once, in the workspace package. The promises are documented at each method and verified by `testWorkspaceRuntime`.
 */
export interface WorkspaceRuntime extends Closable {
  /** Label for messages: `local`, `docker`. */
  readonly label: string;

  /** Determined once by trying; later calls start no process. */
  capabilities(options?: CallOptions): Promise<RuntimeCapabilities>;

  /**
   * Creates a workspace with the directories of `WORKSPACE_LAYOUT`. The id has 1 to 64 letters, digits, `-` and `_`.
   * @throws SkillError `CONFLICT` when the id is taken, `INPUT_INVALID` for a bad id, `ISOLATION_UNAVAILABLE`;
   * `UNSUPPORTED` where its commands cannot have the network that `network` announces.
   */
  create(id: string, options?: CreateWorkspaceOptions): Promise<RuntimeWorkspace>;

  /**
   * Returns the workspace with that id, whichever process created it; `undefined` where there is none.
   * @throws SkillError `WORKSPACE_DAMAGED` where the runtime's record of it cannot be read.
   */
  attach(id: string, options?: CallOptions): Promise<RuntimeWorkspace | undefined>;

  /** Ends the workspace's runs and removes it. Returns `true` the first time, then `false`. */
  destroy(id: string, options?: CallOptions): Promise<boolean>;

  /** All ids, sorted, including those of damaged workspaces. */
  list(options?: CallOptions): Promise<readonly string[]>;

  /**
   * Recreates the record of a damaged workspace: its files stay, its skills have to be staged again, and its notes are
   * lost. Its runs are ended first. Returns `false` where it is not damaged. Missing where the runtime cannot repair.
   * @throws SkillError `UNSUPPORTED` for a workspace created by a later version of the runtime.
   */
  repair?(id: string, options?: CallOptions): Promise<boolean>;

  /**
   * A registry shared by all processes that use the same workspaces, used where the caller provides none. Missing where
   * the runtime has none.
   */
  readonly registry?: WorkspaceRegistry;

  /** The user's folder that commands work in. Missing where there is none. */
  readonly hostFolder?: HostFolder;
}

/** One workspace as the runtime sees it. After `destroy`, every call fails with `WORKSPACE_NOT_FOUND`. */
export interface RuntimeWorkspace {
  readonly id: string;
  /** Absolute path of the root as commands see it. */
  readonly root: string;

  /** True where `stage` copies the files of a skill: in a directory first, they would be stored twice. */
  readonly copiesSkills?: boolean;
  /** Opaque id of the programs that commands see. Missing where all workspaces of the runtime see the same. */
  readonly system?: string;

  /**
   * Stages the skill at `skills/<name>`, atomically replacing another digest; staging the same digest again costs
   * nothing. Read-only where `capabilities.readOnlySkills`. The links of `SKILL_LINKS` are added to the files.
   */
  stage(skill: StagedSkill, options?: CallOptions): Promise<void>;
  unstage(name: string, options?: CallOptions): Promise<void>;
  /** Digests of staged skills by name, recorded out of the commands' reach. Does not look at the files. */
  staged(options?: CallOptions): Promise<ReadonlyMap<string, string>>;

  /**
   * Stores a short text under a key, out of the commands' reach, until the workspace is destroyed; `undefined` removes
   * it. Missing, together with `notes`, where the runtime cannot.
   */
  note?(key: string, text: string | undefined, options?: CallOptions): Promise<void>;
  /** Returns the texts stored with `note`, by key, whichever process stored them. Does not look at the files. */
  notes?(options?: CallOptions): Promise<ReadonlyMap<string, string>>;

  /**
   * Starts the command. Where `capabilities.endsTree`, no process of it exists any more when its result settles.
   * @throws SkillError `UNSUPPORTED` for a limit or network setting that is not enforced, `PATH_INVALID` or
   * `FILE_NOT_FOUND` for the directory, `INPUT_INVALID` for variable names that are not POSIX or steer the loader;
   * `CONFLICT` for the id of a run in progress, unless `keep` asks for that run.
   */
  start(command: RunCommand, options?: CallOptions): Promise<RunHandle>;

  /**
   * Returns the run with that id, whichever process started it: live, or ended with its recorded outcome; `undefined`
   * where there is none, and where its record is gone. Its handle has no input, and an abort ends the run. It goes on until its
   * time limit, or until no process with a handle of it has been alive for the length of its lease. An outcome that nobody can
   * know has the diagnostic `run.outcome-unknown`.
   */
  runOf(runId: string, options?: CallOptions): Promise<RunHandle | undefined>;

  /**
   * Writes files below `work/`, `out/` or `runs/` and creates missing directories; an existing file is replaced
   * atomically. Links created by a command are never followed. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  put(files: Iterable<FileEntry> | AsyncIterable<FileEntry>, options?: CallOptions): Promise<void>;

  /**
   * Streams a regular file. Links are never followed and special files never opened.
   * @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  get(path: string, options?: CallOptions): Promise<ByteStream>;

  /**
   * Reads many files with few calls, in constant memory. Yields for every path, in the order given, what `get` would:
   * its content, or the error. Missing where many calls of `get` cost no more.
   * @throws SkillError only for failures that affect all paths: `WORKSPACE_NOT_FOUND`, `BACKEND_FAILED`, `ABORTED`.
   */
  getMany?(paths: Iterable<string>, options?: GetManyOptions): AsyncIterable<RequestedFile>;

  /**
   * Creates a link at `path` to another path of the workspace, both relative to the root. An existing file or link is
   * replaced; the target need not exist. Missing where the runtime cannot. @throws SkillError `PATH_OUTSIDE`,
   * `PATH_INVALID`.
   */
  link?(path: string, to: string, options?: CallOptions): Promise<void>;

  /**
   * Removes a file, link or whole directory below `work/`, `out/` or `runs/` without following links. Returns `false`
   * where there is none. Missing where the runtime cannot. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  remove?(path: string, options?: CallOptions): Promise<boolean>;

  /**
   * Lists everything below a directory (default: all of `work/`, `out/` and `runs/`), sorted by path, without following
   * links.
   */
  list(path?: string, options?: CallOptions): Promise<readonly FileStat[]>;
}

/** A workspace that can be paused. */
export interface PausableWorkspace extends RuntimeWorkspace {
  pause(options?: CallOptions): Promise<void>;
  resume(options?: CallOptions): Promise<void>;
}
