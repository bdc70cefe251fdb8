import type { Readable, Writable } from "node:stream";
import type { Diagnostic } from "@skillwright/core";
import type { Mount } from "../isolation/mount.js";
import type { LimitPlan } from "../limits/plan-limits.js";

/** A command with everything decided, for each way of starting it. */
export interface LaunchRequest {
  /** The shell with its arguments, the command's text last. */
  readonly argv: readonly [program: string, ...rest: string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, as the command sees it. */
  readonly cwd: string;
  /** False for an input that is empty from the start. */
  readonly input: boolean;
  readonly network: boolean;
  readonly timeoutMs: number;
  /** What a sandbox shows beside the system. */
  readonly mounts: readonly Mount[];
  readonly limits: LimitPlan;
}

/** How it was with the command, once nothing of it changes any more. */
export interface LaunchEnd {
  readonly exitCode: number;
  /** The command itself, its time limit, `kill`, or something that is no part of the run. */
  readonly endedBy: "itself" | "time" | "request" | "outside";
  /** What kept the command from being started; the launcher's own words are on its standard error. */
  readonly notStarted?: string | undefined;
  /** True when it is certain that no process of the run exists any more. */
  readonly treeEnded: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A started command. */
export interface Launch {
  /** The process that was started here; everything else of the run ends with it or is found by it. */
  readonly pid: number;
  /** True where the run is ended by ending the process group of `pid`. */
  readonly leadsGroup: boolean;
  /** A process inside the run's own PID namespace; `undefined` where it has none. */
  inside(): Promise<number | undefined>;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  signal(name: "SIGINT" | "SIGTERM"): Promise<void>;
  /** Ends the whole tree; `ended` tells when that is so. */
  kill(): void;
  /** Settles when the command and everything it started has ended, or when nothing more can be found out about it. */
  readonly ended: Promise<LaunchEnd>;
}
