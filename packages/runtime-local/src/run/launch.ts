import type { RunEnd } from "@skillwright/supervisor";
import type { Mount } from "../isolation/mount.js";
import type { LimitPlan } from "../limits/plan-limits.js";
import type { InputWriter } from "./input-writer.js";

/** A fully specified command, for each way of starting it. */
export interface LaunchRequest {
  /** The shell with its arguments; the command's text is last. */
  readonly argv: readonly [program: string, ...rest: string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path, as the command sees it. */
  readonly cwd: string;
  /** False for an empty input. */
  readonly input: boolean;
  readonly network: boolean;
  readonly timeoutMs: number;
  /** The mounts of a sandbox in addition to those of the system. */
  readonly mounts: readonly Mount[];
  readonly limits: LimitPlan;
}

/** Takes what a command writes, in order. */
export type OnOutput = (stream: "stdout" | "stderr", bytes: Uint8Array) => void;

/** A started command. */
export interface Launch {
  /**
   * The process started for it; everything else of the run ends with it or is found through it. `undefined` where the
   * run is over already.
   */
  readonly pid: number | undefined;
  /** True where ending the process group of `pid` ends the run. */
  readonly leadsGroup: boolean;
  /** A process inside the run's own PID namespace; `undefined` where it has none. */
  inside(): Promise<number | undefined>;
  readonly input: InputWriter;
  signal(name: "SIGINT" | "SIGTERM"): Promise<void>;
  /** Ends the whole tree; `ended` settles when that is done. */
  kill(): void;
  /**
   * Settles when the command and everything it started has ended and all its output was taken, or when nothing more can
   * be determined.
   */
  readonly ended: Promise<RunEnd>;
}
