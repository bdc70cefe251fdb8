import type { Readable, Writable } from "node:stream";
import type { Diagnostic } from "@skillwright/core";
import type { Mount } from "../isolation/mount.js";
import type { LimitPlan } from "../limits/plan-limits.js";

/** A command with everything decided, for either way of starting it. */
export interface LaunchRequest {
  /** The shell with its arguments, the command's text last. */
  readonly argv: readonly [program: string, ...rest: string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, as the command sees it. */
  readonly cwd: string;
  /** False for an input that is empty from the start. */
  readonly input: boolean;
  readonly network: boolean;
  /** What a sandbox shows beside the system. */
  readonly mounts: readonly Mount[];
  readonly limits: LimitPlan;
}

/** How it was with the command, once nothing of it changes any more. */
export interface LaunchEnd {
  readonly exitCode: number;
  /** What kept the command from being started after all; the launcher's own words are on its standard error. */
  readonly notStarted?: string;
  readonly treeEnded: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A started command. */
export interface Launch {
  /** Of the process that was started here; everything else of the run ends with it or is found by it. */
  readonly pid: number;
  /** Of the control group that the run is ended by, where there is one. */
  readonly group?: string | undefined;
  /** A process inside the run's own PID namespace; `undefined` where it has none. */
  inside(): Promise<number | undefined>;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  signal(name: "SIGINT" | "SIGTERM"): Promise<void>;
  /** Ends the whole tree; `ended` tells when that is so. */
  kill(): void;
  /** Settles when the command and everything it started has ended, as far as that can be told. */
  readonly ended: Promise<LaunchEnd>;
}
