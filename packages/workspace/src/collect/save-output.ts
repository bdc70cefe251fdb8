import {
  type ArtifactScope,
  type ArtifactStore,
  type ArtifactVersion,
  type CollectedFile,
  type Diagnostic,
  SkillError,
} from "@skillwright/core";
import { limitedStream } from "../waiting/limited-stream.js";
import type { ByteBudget } from "./byte-budget.js";
import type { Collection } from "./collection.js";
import type { OutputReader } from "./output-reader.js";

/**
 * Streams one file into the artifact store, under the name prefix and its path. A file above a limit is not
 * saved at all, because a truncated file would later look complete. Returns `undefined`, and adds a diagnostic,
 * where saving failed.
 */
export async function saveOutput(
  { path, size, mimeType }: Pick<CollectedFile, "path" | "size" | "mimeType">,
  budget: ByteBudget,
  saving: Collection & { artifacts: ArtifactStore; scope: ArtifactScope; reader: OutputReader },
): Promise<ArtifactVersion | undefined> {
  const { plan, reader, artifacts, scope, metadata, isRepeated, signal, tell, emit } = saving;
  const limit = Math.min(plan.maxFileBytes, budget.left());
  if (size > limit) {
    tell(tooLarge(path, size, plan.maxFileBytes < size ? "maxFileBytes" : "maxTotalBytes", limit));
    return undefined;
  }
  try {
    const content = limitedStream(reader.whole(), limit);
    const name = `${plan.namePrefix}${path}`;
    const known = isRepeated ? await savedBefore(name, size, saving) : undefined;
    if (known) return known;
    const artifact = await artifacts.save(scope, name, content, {
      mimeType,
      metadata,
      ...(signal ? { signal } : {}),
    });
    emit({ type: "artifact.saved", name: artifact.name, version: artifact.version, bytes: artifact.size });
    return artifact;
  } catch (error) {
    tell(saveFailed(path, SkillError.from(error, "Saving")));
    return undefined;
  }
}

/** What the same run saved before its process died. */
async function savedBefore(
  name: string,
  size: number,
  { artifacts, scope, metadata, signal }: Collection & { artifacts: ArtifactStore; scope: ArtifactScope },
): Promise<ArtifactVersion | undefined> {
  const versions = await artifacts.versions(scope, name, { signal });
  return versions.findLast((one) => one.metadata["runId"] === metadata["runId"] && one.size === size);
}

function tooLarge(path: string, size: number, field: string, limit: number): Diagnostic {
  return {
    code: field === "maxFileBytes" ? "artifact.file-limit" : "artifact.total-limit",
    severity: "error",
    message: `${path} was not saved: it has ${size} bytes, and ${field} leaves ${limit}.`,
    hint: `Run again with a larger ${field}; a file is saved whole or not at all.`,
    path,
  };
}

function saveFailed(path: string, error: SkillError): Diagnostic {
  return {
    code: "artifact.save-failed",
    severity: "error",
    message: `${path} was not saved: ${error.message}`,
    hint: "The file is still in the workspace: save it from there instead of running the command again.",
    path,
  };
}
