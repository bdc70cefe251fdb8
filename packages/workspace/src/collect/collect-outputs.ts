import type { ArtifactScope, ArtifactStore, CollectedFile } from "@skillwright/core";
import { fileContents } from "../files/file-contents.js";
import { byteBudget } from "./byte-budget.js";
import type { Collection } from "./collection.js";
import { describeOutput, isLookedAt } from "./describe-output.js";
import { outputReader } from "./output-reader.js";
import { saveOutput } from "./save-output.js";
import type { SelectedOutput } from "./select-outputs.js";

/**
 * Returns the selected files with type, text and artifact, in their order. Each is read within the three limits and
 * streamed into the artifact store. A file that cannot be read or saved stays in the list, with a diagnostic. Never
 * throws: the command has already run and must not be repeated because of its outputs.
 */
export async function collectOutputs(
  selected: readonly SelectedOutput[],
  collection: Collection,
): Promise<readonly CollectedFile[]> {
  const { plan, workspace } = collection;
  const saving = plan.save ? savingTo(collection) : undefined;
  const isSaved = ({ file, unchanged }: SelectedOutput) =>
    saving !== undefined && !unchanged && file.size <= plan.maxFileBytes;
  const isRead = (output: SelectedOutput) => isLookedAt(output, plan.inline) || isSaved(output);
  const paths = selected.filter(isRead).map(({ file }) => file.path);
  const contents = fileContents(workspace, paths, collection);
  const budget = byteBudget(plan.maxTotalBytes);
  const collected: CollectedFile[] = [];
  for (const output of selected) {
    const reader = outputReader(() => contents.open(output.file.path), collection);
    const reading = { ...collection, reader };
    const { file, content, inlinedBytes } = await describeOutput(output, budget.left(), reading);
    const artifact =
      saving && !output.unchanged ? await saveOutput(file, budget, { ...saving, reader }) : undefined;
    reader.close();
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
  await contents.close();
  return collected;
}

/** A missing store or session is only a warning; the content is returned anyway. */
function savingTo(
  collection: Collection,
): (Collection & { artifacts: ArtifactStore; scope: ArtifactScope }) | undefined {
  const { artifacts, scope, tell } = collection;
  if (artifacts && scope) return { ...collection, artifacts, scope };
  tell({
    code: "artifact.not-saved",
    severity: "warning",
    message: artifacts
      ? "Outputs were not saved: artifacts belong to a session, and this run has none."
      : "Outputs were not saved: there is no artifact store.",
    hint: artifacts
      ? "Give the run `artifacts`, or use the workspace of a session."
      : "Give `artifacts` to workspaceManager.",
  });
  return undefined;
}
