import type {
  ArtifactScope,
  ArtifactStore,
  CallOptions,
  Diagnostic,
  RunEvent,
  RuntimeWorkspace,
} from "@skillwright/core";
import type { OutputPlan } from "./output-plan.js";

export interface Collection extends CallOptions {
  readonly workspace: RuntimeWorkspace;
  readonly plan: OutputPlan;
  readonly artifacts: ArtifactStore | undefined;
  readonly scope: ArtifactScope | undefined;
  /** True where an earlier process may have saved some of the run's outputs already. */
  readonly isRepeated: boolean;
  /** Metadata saved with every artifact. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly emit: (event: RunEvent) => void;
  readonly tell: (diagnostic: Diagnostic) => void;
}
