import type { CallOptions } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";

export { runScript, type ScriptResult } from "./run-script.js";
export { startExec } from "./start-exec.js";

export interface ExecRequest {
  readonly argv: readonly [program: string, ...rest: string[]];
  /** `run`: the run's user, under the container's filter of system calls. `root` has no capability, but owns what is not the run's. */
  readonly as: "run" | "root";
  /** Primary group; no process can leave it, so it tells a run's processes from others. */
  readonly group?: number | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Standard input is open for `write`. */
  readonly input?: boolean | undefined;
}

export interface ExecOutput {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

export interface ExecEnd {
  readonly exitCode: number;
  /** What an engine says of one that it could not start looks like a shell's 126 or 127. A guess, where nothing was heard of it. */
  readonly maybeNotStarted: boolean;
}

/** A process in a container that was started through the engine. */
export interface ContainerExec {
  readonly id: string;
  /** Both streams until the engine ends them, which alone is no sign of success. To be read once. */
  readonly output: AsyncIterable<ExecOutput>;
  /** Settles when the engine's connection took it. @throws SkillError `CLOSED`. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): Promise<void>;
  /** After the output: how it ended, as the engine says. @throws SkillError `BACKEND_FAILED` where the engine does not know. */
  end(options?: CallOptions): Promise<ExecEnd>;
  /**
   * Waits until the start has come to something: an engine connects before there is a process, and who would end it before that
   * would miss it. @throws SkillError `BACKEND_FAILED`.
   */
  settled(options?: CallOptions): Promise<void>;
  /** Lets go of the stream; the process goes on. */
  close(): void;
}

/** What starting a process takes. */
export type ExecContainer = Pick<WorkspaceContainer, "container" | "engine" | "user" | "filter">;
