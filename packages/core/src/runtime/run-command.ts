import type { ByteSource } from "../byte-stream.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Secret } from "../secret.js";

/**
 * Limits that a runtime may be able to enforce; `capabilities` tells which. A runtime may have defaults for limits that
 * a run omits. When a limit was reached, the result has a diagnostic `limit.<name>-reached`.
 */
export interface RunLimits {
  readonly memoryBytes?: number;
  /** Number of cores; fractions are allowed. */
  readonly cpu?: number;
  readonly processes?: number;
  readonly openFiles?: number;
  /** Maximum size of one file. */
  readonly fileBytes?: number;
  /**
   * Maximum disk usage of the whole workspace during the run, counted in blocks on disk. The run is ended when it uses
   * more, and not started, with `LIMIT_EXCEEDED`, where the workspace already does. Usage may exceed the limit for a moment, by
   * no more than the limit where a supervisor watches the run; no single file can be written beyond it.
   */
  readonly diskBytes?: number;
  /**
   * Maximum number of files, directories and links in the whole workspace during the run. The run is ended when there
   * are more. The same limit applies to the run's own `/tmp` and shared memory. Held like `diskBytes`.
   */
  readonly inodes?: number;
}

/** One command in a workspace, fully specified: the runtime adds only its own base variables. */
export interface RunCommand {
  /** Chosen by the caller, and the key of the run in its workspace. Also the name of the run's directory. */
  readonly runId: string;
  /**
   * Keeps the run's record until the workspace is destroyed: the first start of its id runs the command, and every other, in
   * any process and even after the end, gives a handle of that run. `stdin` is then read to its end before the start. Not
   * together with `interactive` or `endsWithHost`. By default, the record goes when the result was taken, and a start of an id
   * whose run is in progress is a `CONFLICT`.
   */
  readonly keep?: boolean | undefined;
  /**
   * The run ends with this process. Default false: it ends at the latest when no process has followed it for the length of its
   * lease.
   */
  readonly endsWithHost?: boolean | undefined;
  /** Shell text, run with `bash --noprofile --norc -c`, or with `sh -c` and a diagnostic where there is no bash. */
  readonly command: string;
  /** An existing directory, relative to the workspace's root; `.` is the root itself. */
  readonly cwd: string;
  /**
   * The whole environment apart from the runtime's base (PATH, LANG, HOME, TMPDIR). No variables of the host are
   * inherited. A `Secret` is masked in both output streams, kept and live, and in the diagnostics and errors of the
   * run, as `secretMasking` describes.
   */
  readonly env: Readonly<Record<string, string | Secret>>;
  /**
   * Directories of programs to put before and after the runtime's base PATH, relative to the workspace's root. Ignored
   * where `env` sets PATH itself.
   */
  readonly programs?: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined;
  /** Wall-clock time in milliseconds, after which the whole process tree is ended. */
  readonly timeoutMs: number;
  /** Bytes kept per stream, half head and half tail. The process never blocks when it writes more. */
  readonly maxOutputBytes: number;
  /**
   * Bytes of each stream that a reader of `output` finds however slow it is. Where a runtime cannot keep them, and by
   * default, it finds about `maxOutputBytes`.
   */
  readonly liveOutputBytes?: number | undefined;
  /** What `run` writes to standard input. */
  readonly stdin?: ByteSource | undefined;
  /** Keeps standard input open for `RunHandle.write`. Without this and without `stdin`, standard input is empty. */
  readonly interactive?: boolean | undefined;
  readonly limits?: RunLimits | undefined;
  /** A limit that cannot be enforced is an error; with `bestEffort` it is a diagnostic. */
  readonly bestEffort?: boolean | undefined;
  /**
   * Defaults to false. Where the network cannot be turned off, `false` is treated like a limit, and omitting it gives a
   * diagnostic.
   */
  readonly network?: boolean | undefined;
}

/** One stream's output: all of it, or its head and its tail. */
export interface CapturedOutput {
  /** UTF-8 text, cut at whole characters. Where `truncated`, a marker line separates head and tail. */
  readonly text: string;
  /** All bytes written, kept or not. A secret counts with the length of its mask. */
  readonly totalBytes: number;
  readonly truncated: boolean;
}

/** The isolation that was in force for a run. */
export interface Isolation {
  /** `gvisor`: a container whose system calls a kernel of its own in user space answers. */
  readonly level: "none" | "namespace" | "container" | "gvisor";
  /** What provides it, for people: `bubblewrap 0.8.0`, or the reason why there is none. */
  readonly by: string;
}

/** How a command ended. A failure, a timeout or excess output is a result, not an error. */
export interface RunResult {
  readonly runId: string;
  /** 0 to 255. 128 + n when signal n ended it, so 137 after a timeout; 127 for an unknown program. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly durationMs: number;
  /**
   * The most memory that all processes of the run used at one time, in bytes, counted as its memory limit counts:
   * with what the kernel cached of its files. Missing where the runtime cannot measure it.
   */
  readonly peakMemoryBytes?: number | undefined;
  /** CPU time of all processes of the run together, in milliseconds. Missing where the runtime cannot measure it. */
  readonly cpuMs?: number | undefined;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly isolation: Isolation;
  /**
   * The limits that were enforced: those of the command, and the runtime's defaults. The limits of a container apply to all runs in it
   * together. Limits that a template sets for a whole pod are not included. Missing if the runtime does not report limits.
   */
  readonly limits?: RunLimits | undefined;
  /**
   * True when no process of the run exists any more, as defined by `endsTree`. Where that is uncertain, a diagnostic
   * says why.
   */
  readonly treeEnded: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RunOutput {
  readonly stream: "stdout" | "stderr";
  /** Number of bytes before this piece, counted over both streams in order of arrival. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A command that has been started. */
export interface RunHandle {
  readonly runId: string;
  /**
   * Yields the output written so far from that offset (default 0), then new output until the run is over. Dropped bytes
   * are skipped.
   */
  output(options?: { from?: number }): AsyncIterable<RunOutput>;
  /**
   * Writes to standard input. Settles when the command's pipe accepted the bytes. Fails with `CLOSED` when the input or
   * the run has ended. The error has `details.connection` `"lost"` if the connection to the command broke before that; then nobody knows
   * how many of the bytes arrived.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends standard input. */
  endInput(): Promise<void>;
  /** `SIGTERM` is sent to the command; `SIGKILL` ends the whole tree. Does nothing when the run is over. */
  signal(name: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Settles when the run is over; rejects only when the runtime itself failed. */
  readonly result: Promise<RunResult>;
}
