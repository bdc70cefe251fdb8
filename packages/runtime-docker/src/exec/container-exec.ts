import type { Duplex } from "node:stream";
import type { CallOptions } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";

export interface ExecRequest {
  readonly argv: readonly [program: string, ...rest: string[]];
  /**
   * `run`: the run's user, under the container's filter of system calls. `root` has no capability, but owns the files
   * that do not belong to the run's user.
   */
  readonly as: "run" | "root";
  /** Primary group. No process can leave it, so it identifies the processes of a run. */
  readonly group?: number | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Keeps standard input open for `write`. */
  readonly input?: boolean | undefined;
}

export interface ExecOutput {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

export interface ExecEnd {
  readonly exitCode: number;
  /**
   * True where the exit code may be the engine's: it reports a failed start like a shell's 126 or 127. A guess, used
   * where nothing else is known.
   */
  readonly maybeNotStarted: boolean;
}

/** A process that was started in a container through the engine. */
export interface ContainerExec {
  readonly id: string;
  readonly connection: Duplex;
  /** Both streams until the engine closes them, which by itself does not mean success. Read it once. */
  readonly output: AsyncIterable<ExecOutput>;
  /** Settles when the engine's connection accepted the bytes. @throws SkillError `CLOSED`. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): Promise<void>;
  /**
   * Call it after reading the output: returns how it ended, according to the engine. @throws SkillError
   * `BACKEND_FAILED` where the engine does not know.
   */
  end(options?: CallOptions): Promise<ExecEnd>;
  /**
   * Waits until the start is complete: an engine connects before there is a process, and ending it earlier would miss
   * the process. @throws SkillError `BACKEND_FAILED`.
   */
  settled(options?: CallOptions): Promise<void>;
  /** Closes the stream; the process continues. */
  close(): void;
}

/** The properties needed to start a process. */
export type ExecContainer = Pick<
  WorkspaceContainer,
  "container" | "engine" | "user" | "filter" | "supervisor"
>;
