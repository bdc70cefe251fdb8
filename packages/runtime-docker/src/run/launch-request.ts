import type { RunLimits } from "@skillwright/core";
import type { RunEnvironment } from "./run-environment.js";

export interface LaunchRequest {
  readonly command: string;
  /** Absolute path in the container. */
  readonly cwd: string;
  readonly runDirectory: string;
  readonly environment: RunEnvironment;
  readonly input: boolean;
  readonly openFiles: number | undefined;
  readonly fileBytes: number | undefined;
  /** Limits on the whole container, readable by other hosts. */
  readonly limits: RunLimits;
  /** The mark by which others see whether this process still waits for the run. */
  readonly host: string;
}
