import type { ArtifactVersion } from "../artifact/artifact-store.js";
import type { ByteSource, ByteStream } from "../byte-stream.js";
import type { SkillOrigin } from "../catalog/skill-catalog.js";
import type { CallOptions, Closable } from "../closable.js";
import type { RunEventLimits, RunEventListener } from "../run-event.js";
import type { RunHandle, RunLimits, RunResult } from "../runtime/run-command.js";
import type { RuntimeCapabilities } from "../runtime/workspace-runtime.js";
import type { Secret } from "../secret.js";
import type { SessionScope } from "../session/session-store.js";
import type { Skill } from "../skill/skill.js";

export interface WorkspaceInfo {
  readonly id: string;
  /** The session it was made for; missing where another process made it and this one has not asked by session. */
  readonly session?: SessionScope;
  /** ISO 8601; of a workspace that another process made, when this one first saw it. */
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
  /** The path that works from a skill's directory, where commands run: `inputs/orders.csv`. */
  readonly skillPath: string;
  /** False when the same bytes under the same name were there already. */
  readonly changed: boolean;
}

export interface RunInput {
  /**
   * `artifact://name[@version]`, `host:///abs/path`, `workspace://rel/path` or `skill://name/rel/path`. All but artifacts
   * may be a directory: its regular files come, links and special files are left out and told.
   */
  readonly from: string;
  /** Relative to the workspace's root, below `work/`, `out/` or `runs/`; `work/inputs/<base name>` by default. */
  readonly to?: string | undefined;
  /**
   * `copy` by default. `link` makes a link within the workspace to a `workspace://` path or a `skill://` path; where that
   * cannot be, it is a copy with an `input.link-copied` diagnostic.
   */
  readonly mode?: "copy" | "link" | undefined;
  /**
   * Take the artifact's version that this workspace took for the same name and target before, where this process has seen
   * it do so (TR-42); a version in `from` wins. False by default: the newest.
   */
  readonly pin?: boolean | undefined;
}

export interface RunOutputs {
  /** Relative to the workspace's root, `**` allowed; `$OUTPUT_DIR/**` and its like are understood. None means `out/**`. */
  readonly globs: readonly string[];
  /** Give the content of text files with the result. False by default. */
  readonly inline?: boolean | undefined;
  /** Save the files as artifacts. False by default. */
  readonly save?: boolean | undefined;
  /** Stands before the artifact's name, such as `reports/`. */
  readonly nameTemplate?: string | undefined;
  /** Default 100. */
  readonly maxFiles?: number | undefined;
  /** Default 4 MiB; what is inlined of a file is cut there, and at 16 MiB at most; a file above it is not saved at all. */
  readonly maxFileBytes?: number | undefined;
  /** Default 64 MiB, of what is inlined and saved; files beyond it are listed by name. */
  readonly maxTotalBytes?: number | undefined;
}

export interface WorkspaceRun {
  /** The skill to stage and run in; without it the command runs in the workspace's root. */
  readonly skill?: string | undefined;
  /**
   * Skills as `SkillCatalog.load` gave them when the run was judged, for `skill` and for `skill://` inputs: of these just that
   * content is staged. Where it is not staged yet and the files are others by now, the run ends with `DIGEST_MISMATCH`. A skill
   * that is not among them is loaded from the catalogue.
   */
  readonly resolved?: readonly (Skill & SkillOrigin)[] | undefined;
  /** Text for the shell, at most 64 KiB. */
  readonly command: string;
  /** Relative to the skill's directory; `$WORK_DIR`, `/work` and their like are understood. The skill's directory by default. */
  readonly cwd?: string | undefined;
  /** At most 32 KiB. The workspace's own variables, such as `OUTPUT_DIR`, cannot be set. */
  readonly env?: Readonly<Record<string, string | Secret>> | undefined;
  readonly stdin?: ByteSource | undefined;
  /**
   * What a program that opens an editor gets as its text: `EDITOR` and `VISUAL` name a script that writes it (TR-62). At
   * most 1 MiB. @throws SkillError `INPUT_INVALID` where `env` sets one of the two as well.
   */
  readonly editorText?: string | undefined;
  /** Default and at most 600,000. */
  readonly timeoutMs?: number | undefined;
  /** Off by default; `true` only where the application allows it to `workspaceManager`. */
  readonly network?: boolean | undefined;
  /** Limits for this run; what cannot be enforced is an error unless `bestEffort`. The application's defaults otherwise. */
  readonly limits?: RunLimits | undefined;
  readonly bestEffort?: boolean | undefined;
  readonly inputs?: readonly RunInput[] | undefined;
  readonly outputs?: RunOutputs | undefined;
  /** Whose artifacts inputs come from and outputs are saved to; the workspace's session by default. */
  readonly artifacts?: SessionScope | undefined;
}

export interface CollectedFile extends WorkspaceFile {
  /** True for a file that matched but was not touched by this run; it is neither inlined nor saved again. */
  readonly unchanged: boolean;
  /** Text, where inline was asked for and the file is text. */
  readonly content?: string;
  /** True where `content` is not all of it. */
  readonly truncated: boolean;
  readonly artifact?: ArtifactVersion;
}

export interface WorkspaceRunResult extends RunResult {
  readonly workspaceId: string;
  /** Relative to the workspace's root. */
  readonly cwd: string;
  readonly outputs: readonly CollectedFile[];
}

export interface WorkspaceRunOptions extends CallOptions {
  readonly onEvent?: RunEventListener | undefined;
  /** What is beyond them is told to the listener as `run.output-dropped`. */
  readonly eventLimits?: RunEventLimits | undefined;
}

/** A run that goes on and can be talked to. It holds the workspace's turn until it is over. */
export interface WorkspaceRunHandle extends RunHandle {
  readonly workspaceId: string;
  /** Relative to the workspace's root. */
  readonly cwd: string;
  /** As `Workspaces.run` gives it: settles when the last process has ended and outputs are collected. */
  readonly result: Promise<WorkspaceRunResult>;
}

/**
 * Isolated directory trees in which skills run, by id. Any process may attach to any of them. Every method that takes an
 * id ends with `WORKSPACE_NOT_FOUND` where there is none. Runs in one workspace are serial.
 */
export interface Workspaces extends Closable {
  capabilities(options?: CallOptions): Promise<RuntimeCapabilities>;
  /** A new one; with a session that session's. @throws SkillError `CONFLICT` where the session has one. */
  create(options?: WorkspaceRunOptions & { session?: SessionScope }): Promise<WorkspaceInfo>;
  attach(id: string, options?: CallOptions): Promise<WorkspaceInfo | undefined>;
  /** The session's workspace, made on first use; many first calls at once make one (TR-66). */
  forSession(session: SessionScope, options?: WorkspaceRunOptions): Promise<WorkspaceInfo>;
  /** `true` once, then `false`. */
  destroy(id: string, options?: CallOptions): Promise<boolean>;
  list(options?: CallOptions): Promise<readonly WorkspaceInfo[]>;

  /** Puts a user's file into `work/inputs/` under its base name; another content of that name becomes `name_2` (TR-49 to TR-52). */
  upload(id: string, name: string, content: ByteSource, options?: WorkspaceRunOptions): Promise<UploadedFile>;
  /** @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID`. */
  download(id: string, path: string, options?: CallOptions): Promise<ByteStream>;
  /** Writes one file below `work/` or `out/`, replacing what is there in one step. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`. */
  write(id: string, path: string, content: ByteSource, options?: CallOptions): Promise<WorkspaceFile>;
  /** Regular files below the path (default `work/` and `out/`), sorted. */
  files(id: string, path?: string, options?: CallOptions): Promise<readonly WorkspaceFile[]>;

  /**
   * Stages the skill where its digest changed, stages inputs, runs, waits for the last process, collects outputs. Skills of
   * earlier runs are brought up to date first, except those of untrusted sources: they stay at the digest they were staged
   * with until a run asks for them by name, and a `skill.not-approved` diagnostic says so.
   * @throws SkillError before anything ran: `SKILL_NOT_FOUND`, `SKILL_INVALID`, `INPUT_INVALID`, `LIMIT_EXCEEDED`,
   *   `PATH_OUTSIDE`, `PATH_INVALID`, `FILE_NOT_FOUND` (cwd or input), `ARTIFACT_NOT_FOUND`, `DIGEST_MISMATCH` (a
   *   skill that is not the one of `resolved` any more, or one that kept changing), `REFUSED` (a `host://` input outside the allowed
   *   folders, or the network where the application does not allow it), `UNSUPPORTED`, `ABORTED`. Afterwards what goes
   *   wrong is a diagnostic of the result and files already made are kept.
   */
  run(id: string, run: WorkspaceRun, options?: WorkspaceRunOptions): Promise<WorkspaceRunResult>;

  /**
   * As `run`, but settles once the command has begun; its standard input is open for `WorkspaceRunHandle.write`, and the
   * signal ends only the start. `timeoutMs` is 24 hours by default and at most. Missing where runs cannot be talked to.
   * @throws SkillError as `run` before anything ran; `INPUT_INVALID` for a `stdin`.
   */
  start?(id: string, run: WorkspaceRun, options?: WorkspaceRunOptions): Promise<WorkspaceRunHandle>;
}
