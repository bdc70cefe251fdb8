import type { RunLimits } from "./runtime/run-command.js";

/**
 * Events of a working workspace, as they happen: for progress on screen and for logs. They never contain file content.
 */
export type RunEvent =
  | { readonly type: "workspace.created"; readonly workspaceId: string; readonly durationMs: number }
  | {
      readonly type: "skill.staged";
      readonly skill: string;
      readonly digest: string;
      /** False when the same digest was already staged and nothing was copied. */
      readonly changed: boolean;
      readonly files: number;
      readonly bytes: number;
      readonly durationMs: number;
    }
  | {
      readonly type: "bootstrap.started";
      readonly workspaceId: string;
      readonly step: string;
      /** The skill that the step belongs to. Missing for a step of every workspace. */
      readonly skill?: string;
    }
  | {
      readonly type: "bootstrap.ended";
      readonly workspaceId: string;
      readonly step: string;
      readonly skill?: string;
      /** False where the step failed; the run then ends with an error. */
      readonly ok: boolean;
      /** True where an earlier result was reused and no command of the step ran. */
      readonly fromCache: boolean;
      readonly durationMs: number;
    }
  | { readonly type: "input.staged"; readonly path: string; readonly bytes: number }
  | { readonly type: "run.started"; readonly runId: string; readonly command: string; readonly cwd: string }
  | {
      readonly type: "run.output";
      readonly runId: string;
      readonly stream: "stdout" | "stderr";
      readonly text: string;
    }
  /** Output that was not passed on as `run.output`, because it exceeded the rate or the total of `RunEventLimits`. */
  | {
      readonly type: "run.output-dropped";
      readonly runId: string;
      readonly stream: "stdout" | "stderr";
      readonly bytes: number;
    }
  | {
      readonly type: "run.ended";
      readonly runId: string;
      readonly exitCode: number;
      readonly timedOut: boolean;
      readonly durationMs: number;
      /** The isolation that was in force, such as `namespace (bubblewrap 0.8.0)`. */
      readonly isolation: string;
      /** As in the run's result. */
      readonly limits?: RunLimits | undefined;
      /** As in the run's result. */
      readonly peakMemoryBytes?: number | undefined;
    }
  | {
      readonly type: "output.collected";
      readonly path: string;
      readonly bytes: number;
      readonly mimeType: string;
    }
  | {
      readonly type: "artifact.saved";
      readonly name: string;
      readonly version: number;
      readonly bytes: number;
    };

/** How much of a run's output is passed to its listener. The output kept for the result does not depend on it. */
export interface RunEventLimits {
  /** Total bytes of one run. Defaults to 4 MiB. */
  readonly bytes?: number | undefined;
  /** Sustained rate; this many bytes may also arrive at once. Defaults to 1 MiB. */
  readonly bytesPerSecond?: number | undefined;
}

/** A listener that returns a promise gets the run's next output once that is settled; the command does not wait for it. */
export type RunEventListener = (event: RunEvent) => unknown;
