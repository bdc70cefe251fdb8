import type {
  ArtifactScope,
  ArtifactStore,
  CallOptions,
  CollectedFile,
  Diagnostic,
  RunEvent,
  RuntimeWorkspace,
} from "@skillwright/core";
import { byteBudget } from "./byte-budget.js";
import { describeOutput } from "./describe-output.js";
import type { OutputPlan } from "./output-plan.js";
import { saveOutput } from "./save-output.js";
import type { SelectedOutput } from "./select-outputs.js";

export interface Collection extends CallOptions {
  readonly workspace: RuntimeWorkspace;
  readonly plan: OutputPlan;
  readonly artifacts: ArtifactStore | undefined;
  readonly scope: ArtifactScope | undefined;
  /** Goes with every artifact. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly emit: (event: RunEvent) => void;
  readonly tell: (diagnostic: Diagnostic) => void;
}

/**
 * The selected files with type, text and artifact, in their order. Each is read within the three limits and streamed
 * into the artifact store; a file that cannot be read or saved stays in the list and is told. Never throws: what ran,
 * ran, and is not to be repeated for the sake of its outputs (TR-97).
 */
export async function collectOutputs(
  selected: readonly SelectedOutput[],
  collection: Collection,
): Promise<readonly CollectedFile[]> {
  const saving = collection.plan.save ? savingTo(collection) : undefined;
  const budget = byteBudget(collection.plan.maxTotalBytes);
  const collected: CollectedFile[] = [];
  for (const output of selected) {
    const { file, content, inlinedBytes } = await describeOutput(output, budget.left(), collection);
    const artifact = saving && !output.unchanged ? await saveOutput(file, budget, saving) : undefined;
    budget.take(artifact ? Math.max(artifact.size, inlinedBytes) : inlinedBytes);
    collected.push({
      ...file,
      ...(content === undefined ? {} : { content }),
      ...(artifact ? { artifact } : {}),
    });
    if (!output.unchanged)
      collection.emit({
        type: "output.collected",
        path: file.path,
        bytes: file.size,
        mimeType: file.mimeType,
      });
  }
  return collected;
}

/** Missing store or session: a warning, and the content is given all the same (TR-93). */
function savingTo(
  collection: Collection,
): (Collection & { artifacts: ArtifactStore; scope: ArtifactScope }) | undefined {
  const { artifacts, scope, tell } = collection;
  if (artifacts && scope) return { ...collection, artifacts, scope };
  tell({
    code: "artifact.not-saved",
    severity: "warning",
    message: artifacts
      ? "Outputs were not saved: the run belongs to no session, and artifacts belong to one."
      : "Outputs were not saved: there is no artifact store.",
    hint: artifacts
      ? "Give the run `artifacts`, or use a session's workspace."
      : "Give `artifacts` to workspaceManager.",
  });
  return undefined;
}
