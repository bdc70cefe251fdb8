/** What happens while a workspace works, as it happens: for progress on screen and for logs. Never holds content of files. */
export type RunEvent =
  | { readonly type: "workspace.created"; readonly workspaceId: string; readonly durationMs: number }
  | {
      readonly type: "skill.staged";
      readonly skill: string;
      readonly digest: string;
      /** False when the same digest was there already and nothing was moved. */
      readonly changed: boolean;
      readonly files: number;
      readonly bytes: number;
      readonly durationMs: number;
    }
  | {
      readonly type: "bootstrap.started";
      readonly workspaceId: string;
      readonly step: string;
      /** Whose step it is; missing for one of every workspace. */
      readonly skill?: string;
    }
  | {
      readonly type: "bootstrap.ended";
      readonly workspaceId: string;
      readonly step: string;
      readonly skill?: string;
      /** False where it failed; the run then ends with an error. */
      readonly ok: boolean;
      /** True where an earlier result was put in place and no command of the step ran. */
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
  /** Output that was not passed on as `run.output`, because it came faster or was more than `RunEventLimits` allow. */
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

/** How much of a run's output its listener hears; what is kept of it for the result does not depend on it. */
export interface RunEventLimits {
  /** Of one run in all; 4 MiB by default. */
  readonly bytes?: number | undefined;
  /** Over time; as much may come at once. 1 MiB by default. */
  readonly bytesPerSecond?: number | undefined;
}

export type RunEventListener = (event: RunEvent) => void;
