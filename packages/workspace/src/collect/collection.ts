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
  /** Metadata saved with every artifact. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly emit: (event: RunEvent) => void;
  readonly tell: (diagnostic: Diagnostic) => void;
}
