import type { ArtifactVersion } from "../artifact/artifact-store.js";
import type { ByteSource, ByteStream } from "../byte-stream.js";
import type { SkillOrigin } from "../catalog/skill-catalog.js";
import type { CallOptions, Closable } from "../closable.js";
import type { RunEventLimits, RunEventListener } from "../run-event.js";
import type { RunHandle, RunLimits, RunResult } from "../runtime/run-command.js";
import type { RuntimeCapabilities } from "../runtime/workspace-runtime.js";
import type { Secret } from "../secret.js";
import type { SessionScope } from "../session/state-delta.js";
import type { Skill } from "../skill/skill.js";

export interface WorkspaceInfo {
  readonly id: string;
  /**
   * The session that it was created for. Missing where another process created it and this one has not looked it up by
   * session.
   */
  readonly session?: SessionScope;
  /** ISO 8601 time. For a workspace that another process created, the time at which this one first saw it. */
  readonly createdAt: string;
}

export interface WorkspaceFile {
  /** Relative to the workspace's root. */
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

export interface UploadedFile extends WorkspaceFile {
  /** A shorter path from a skill's directory, such as `inputs/orders.csv`. `path` works there too. */
  readonly skillPath: string;
  /** False when the same bytes were already stored under the same name. */
  readonly changed: boolean;
}

export interface RunInput {
  /**
   * `artifact://name[@version]`, `host:///abs/path`, `workspace://rel/path` or `skill://name/rel/path`. All but
   * artifacts may be a directory: its regular files are copied; links and special files are left out with a diagnostic.
   */
  readonly from: string;
  /** Relative to the workspace's root, below `work/`, `out/` or `runs/`. Defaults to `work/inputs/<base name>`. */
  readonly to?: string | undefined;
  /**
   * Defaults to `copy`. `link` creates a link within the workspace to a `workspace://` path or a `skill://` path; where
   * that is impossible, the input is copied with an `input.link-copied` diagnostic.
   */
  readonly mode?: "copy" | "link" | undefined;
  /**
   * Use the artifact version that this workspace last used for the same name and target, if this process has seen that. A
   * version in `from` takes precedence. Defaults to false, which uses the newest version.
   */
  readonly pin?: boolean | undefined;
}

export interface RunOutputs {
  /**
   * Relative to the workspace's root; `**` is allowed, and `$OUTPUT_DIR/**` and similar forms are understood. An empty
   * list means `out/**`.
   */
  readonly globs: readonly string[];
  /** Include the content of text files in the result. Defaults to false. */
  readonly inline?: boolean | undefined;
  /** Save the files as artifacts. Defaults to false. */
  readonly save?: boolean | undefined;
  /** Prefix of the artifacts' names, such as `reports/`. */
  readonly nameTemplate?: string | undefined;
  /** Defaults to 100. */
  readonly maxFiles?: number | undefined;
  /** Defaults to 4 MiB. Inlined content is cut there, and at 16 MiB at most; a larger file is not saved at all. */
  readonly maxFileBytes?: number | undefined;
  /** Defaults to 64 MiB, counted over inlined and saved content. Files beyond it are only listed by name. */
  readonly maxTotalBytes?: number | undefined;
}

export interface WorkspaceRun {
  /** The skill to stage and run in. Without it, the command runs in the workspace's root. */
  readonly skill?: string | undefined;
  /**
   * Skills as returned by `SkillCatalog.load` when the run was authorized, for `skill` and for `skill://` inputs:
   * exactly that content is staged. Where it is not staged yet and the files have changed, the run ends with
   * `DIGEST_MISMATCH`. Other skills are loaded from the catalogue.
   */
  readonly resolved?: readonly (Skill & SkillOrigin)[] | undefined;
  /** Shell text, at most 64 KiB. */
  readonly command: string;
  /**
   * Relative to the skill's directory; `$WORK_DIR`, `/work` and similar forms are understood. Defaults to the skill's
   * directory.
   */
  readonly cwd?: string | undefined;
  /** At most 32 KiB in total. The workspace's own variables, such as `OUTPUT_DIR`, cannot be set. */
  readonly env?: Readonly<Record<string, string | Secret>> | undefined;
  readonly stdin?: ByteSource | undefined;
  /**
   * Text for a program that opens an editor: `EDITOR` and `VISUAL` name a script that writes it. At most 1 MiB.
   * @throws SkillError `INPUT_INVALID` where `env` sets one of the two as well.
   */
  readonly editorText?: string | undefined;
  /** Default and maximum are 600,000. */
  readonly timeoutMs?: number | undefined;
  /** Defaults to false. `true` only where the application allows it in `workspaceManager`. */
  readonly network?: boolean | undefined;
  /**
   * Limits for this run. A limit that cannot be enforced is an error unless `bestEffort`. Defaults to the application's
   * limits.
   */
  readonly limits?: RunLimits | undefined;
  readonly bestEffort?: boolean | undefined;
  /**
   * The run ends with this process, such as one whose terminal is closed; not together with a `key`. Default false: it ends when no
   * process has followed it for the length of its lease, and before the next run of its workspace by a manager with a registry.
   */
  readonly endsWithHost?: boolean | undefined;
  readonly inputs?: readonly RunInput[] | undefined;
  readonly outputs?: RunOutputs | undefined;
  /**
   * The scope from which artifact inputs are read and to which outputs are saved. Defaults to the workspace's session.
   */
  readonly artifacts?: SessionScope | undefined;
}

export interface CollectedFile extends WorkspaceFile {
  /** True for a matching file that this run did not touch; it is neither inlined nor saved again. */
  readonly unchanged: boolean;
  /** The content, if inlining was requested and the file is text. */
  readonly content?: string;
  /** True where `content` is not complete. */
  readonly truncated: boolean;
  readonly artifact?: ArtifactVersion;
}

export interface WorkspaceRunResult extends RunResult {
  readonly workspaceId: string;
  /** Relative to the workspace's root. */
  readonly cwd: string;
  readonly outputs: readonly CollectedFile[];
}

/** Packages that a skill locks and that would be installed for its first run on this machine. */
export interface InstallQuestion {
  readonly skill: string;
  /** Digest of the skill. */
  readonly digest: string;
  /** The repository that the skill comes from. */
  readonly source: string;
  readonly trusted: boolean;
  readonly installs: readonly {
    readonly kind: "python" | "node" | "ruby";
    /** The skill's file that locks the packages. */
    readonly declaredIn: string;
    readonly packages: readonly { readonly name: string; readonly version: string }[];
    /** True where they are files of the skill; otherwise they are fetched from the configured package index. */
    readonly fromSkill: boolean;
  }[];
}

export interface WorkspaceRunOptions extends CallOptions {
  readonly onEvent?: RunEventListener | undefined;
  /**
   * Makes `run` one that no process does twice: where a run with this key began in this workspace, its end is waited for,
   * and its outputs are collected. Its run id is derived from the key.
   */
  readonly key?: string | undefined;
  /**
   * Asks whether packages may be installed for a skill, once for all that are missing. An exception counts as a refusal
   * and becomes the run's error. Without it, packages that are not prepared are refused.
   */
  readonly approveInstall?:
    | ((question: InstallQuestion, options?: CallOptions) => Promise<boolean>)
    | undefined;
  /**
   * Absolute directories from which this run may read `host://` inputs, besides those of the application. A person has to have
   * agreed to them.
   */
  readonly hostInputRoots?: readonly string[] | undefined;
  /** Output beyond these limits is reported to the listener as `run.output-dropped`. */
  readonly eventLimits?: RunEventLimits | undefined;
}

/** A running command that accepts input. It holds the workspace's turn until it ends. */
export interface WorkspaceRunHandle extends RunHandle {
  readonly workspaceId: string;
  /** Relative to the workspace's root. */
  readonly cwd: string;
  /** Like the result of `Workspaces.run`: settles when the last process has ended and outputs are collected. */
  readonly result: Promise<WorkspaceRunResult>;
}

/**
 * Isolated directory trees in which skills run, by id. Any process may attach to any of them. Every method that takes
 * an id fails with `WORKSPACE_NOT_FOUND` where there is none. Runs in one workspace are serial.
 */
export interface Workspaces extends Closable {
  capabilities(options?: CallOptions): Promise<RuntimeCapabilities>;
  /** Creates a workspace, for the given session if any. @throws SkillError `CONFLICT` where the session has one. */
  create(options?: WorkspaceRunOptions & { session?: SessionScope }): Promise<WorkspaceInfo>;
  attach(id: string, options?: CallOptions): Promise<WorkspaceInfo | undefined>;
  /** Returns the session's workspace, creating it on first use. Concurrent first calls create only one. */
  forSession(session: SessionScope, options?: WorkspaceRunOptions): Promise<WorkspaceInfo>;
  /** Returns `true` the first time, then `false`. */
  destroy(id: string, options?: CallOptions): Promise<boolean>;
  list(options?: CallOptions): Promise<readonly WorkspaceInfo[]>;

  /**
   * Stores a user's file in `work/inputs/` under its base name. Different content under the same name becomes `name_2`.
   */
  upload(id: string, name: string, content: ByteSource, options?: WorkspaceRunOptions): Promise<UploadedFile>;
  /** @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID`. */
  download(id: string, path: string, options?: CallOptions): Promise<ByteStream>;
  /**
   * Writes one file below `work/` or `out/`, replacing an existing one atomically. @throws SkillError `PATH_OUTSIDE`,
   * `PATH_INVALID`.
   */
  write(id: string, path: string, content: ByteSource, options?: CallOptions): Promise<WorkspaceFile>;
  /** Lists regular files below the path (default `work/` and `out/`), sorted. */
  files(id: string, path?: string, options?: CallOptions): Promise<readonly WorkspaceFile[]>;

  /**
   * Stages the skill if its digest changed, stages inputs, runs the command, waits for the last process and collects
   * outputs. Skills of earlier runs are updated first, except those of untrusted sources: they stay at the digest they
   * were staged with until a run names them, and a `skill.not-approved` diagnostic says so.
   * @throws SkillError before anything ran: `SKILL_NOT_FOUND`, `SKILL_INVALID`, `INPUT_INVALID`, `LIMIT_EXCEEDED`,
   * `PATH_OUTSIDE`, `PATH_INVALID`, `FILE_NOT_FOUND` (cwd or input), `ARTIFACT_NOT_FOUND`, `DIGEST_MISMATCH` (a skill
   * that no longer matches `resolved`, or one that kept changing), `REFUSED` (a `host://` input outside the allowed
   * folders, or the network where the application does not allow it), `UNSUPPORTED`, `ABORTED`. Later problems are
   * diagnostics of the result, and files already created are kept.
   */
  run(id: string, run: WorkspaceRun, options?: WorkspaceRunOptions): Promise<WorkspaceRunResult>;

  /**
   * Like `run`, but settles once the command has started. Its standard input is open for `WorkspaceRunHandle.write`,
   * and the signal aborts only the start. Default and maximum of `timeoutMs` are 24 hours. Missing where interactive
   * runs are not supported.
   * @throws SkillError as `run` before anything ran; `INPUT_INVALID` for a `stdin`.
   */
  start?(id: string, run: WorkspaceRun, options?: WorkspaceRunOptions): Promise<WorkspaceRunHandle>;
}
