import type { ByteSource } from "../byte-stream.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Secret } from "../secret.js";

/**
 * Limits a runtime may be able to enforce; `capabilities` says which. A runtime may have defaults for those that a run
 * leaves out. Where one of them was met, the result has a diagnostic `limit.<name>-reached`.
 */
export interface RunLimits {
  readonly memoryBytes?: number;
  /** Cores, fractions allowed. */
  readonly cpu?: number;
  readonly processes?: number;
  readonly openFiles?: number;
  /** Of one file. */
  readonly fileBytes?: number;
  /**
   * Of the whole workspace while the run goes on, counted in blocks on disk; the run is ended when it holds more. Measured
   * at intervals, so that more may be taken for a moment; no single file is written beyond it.
   */
  readonly diskBytes?: number;
  /**
   * Of the whole workspace while the run goes on: files, directories and links; the run is ended when there are more. The
   * run's own `/tmp` and shared memory are held to the same number. Measured as `diskBytes`.
   */
  readonly inodes?: number;
}

/** One command in a workspace, fully decided: the runtime adds nothing but its own base variables. */
export interface RunCommand {
  /** Chosen by the caller; also the name of the run's directory. */
  readonly runId: string;
  /** Text for the shell: `bash --noprofile --norc -c`, or `sh -c` with a diagnostic where there is no bash. */
  readonly command: string;
  /** Relative to the workspace's root, `.` for the root itself; a directory that exists. */
  readonly cwd: string;
  /**
   * The whole environment beside the runtime's base (PATH, LANG, HOME, TMPDIR). Nothing of the host's gets in. A `Secret`
   * is masked in both output streams, kept and live, and in the diagnostics and errors of the run, as `secretMasking` says.
   */
  readonly env: Readonly<Record<string, string | Secret>>;
  /**
   * Directories of programs beside those of the runtime's base PATH: some before it, some after it. Relative to the
   * workspace's root. They count for nothing where `env` sets PATH itself.
   */
  readonly programs?: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined;
  /** Wall clock, in milliseconds; then the whole process tree is ended. */
  readonly timeoutMs: number;
  /** Kept bytes a stream, half head and half tail; the child never blocks on more. */
  readonly maxOutputBytes: number;
  /** What `run` writes to standard input. */
  readonly stdin?: ByteSource | undefined;
  /** Standard input stays open for `RunHandle.write`. Without this and without `stdin` it is empty from the start. */
  readonly interactive?: boolean | undefined;
  readonly limits?: RunLimits | undefined;
  /** A limit that cannot be enforced is an error; with `bestEffort` it is a diagnostic. */
  readonly bestEffort?: boolean | undefined;
  /**
   * Off by default. Where it cannot be turned off, `false` is treated like a limit, and leaving it out is a diagnostic.
   */
  readonly network?: boolean | undefined;
}

/** One stream's output: all of it, or its head and its tail. */
export interface CapturedOutput {
  /** UTF-8, cut at whole characters; where `truncated`, a marker line stands between head and tail. */
  readonly text: string;
  /** All bytes that were written, kept or not; those of a secret count as its mask. */
  readonly totalBytes: number;
  readonly truncated: boolean;
}

/** The isolation that was really in force for a run. */
export interface Isolation {
  readonly level: "none" | "namespace" | "container";
  /** What provides it, for people: `bubblewrap 0.8.0`, or the reason why there is none. */
  readonly by: string;
}

/** How a command ended. Failing, timing out and overflowing are results, not errors. */
export interface RunResult {
  readonly runId: string;
  /** 0 to 255; 128 + n when signal n ended it, so 137 after a time-out; 127 for an unknown program. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly durationMs: number;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly isolation: Isolation;
  /** True when no process of the run exists any more, as `endsTree` says; where that is not sure, a diagnostic says why. */
  readonly treeEnded: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RunOutput {
  readonly stream: "stdout" | "stderr";
  /** Bytes of both streams before this piece, in the order they came. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A command that has been started. */
export interface RunHandle {
  readonly runId: string;
  /** What was written so far from that offset (default 0) and what comes, until the run is over; dropped bytes are skipped. */
  output(options?: { from?: number }): AsyncIterable<RunOutput>;
  /** Writes to standard input; settles when the command's pipe took it. `CLOSED` when the input or the run has ended. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends standard input. */
  endInput(): Promise<void>;
  /** `SIGTERM` reaches the command; `SIGKILL` ends the whole tree. Nothing happens when the run is over. */
  signal(name: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Settles when the run is over; rejects only when the runtime itself failed. */
  readonly result: Promise<RunResult>;
}
