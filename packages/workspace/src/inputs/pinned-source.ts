import type { ArtifactScope } from "@skillwright/core";
import type { InputSource } from "./input-source.js";
import type { PlannedInput } from "./plan-inputs.js";

/** The artifact version that this workspace last used, for each name and target. */
export interface TakenVersions {
  versionOf(input: PlannedInput, scope: ArtifactScope | undefined): number | undefined;
  remember(input: PlannedInput, scope: ArtifactScope | undefined, version: number): void;
}

export function takenVersions(): TakenVersions {
  const versions = new Map<string, number>();
  return {
    versionOf: (input, scope) => versions.get(key(input, scope)),
    remember: (input, scope, version) => void versions.set(key(input, scope), version),
  };
}

/** Returns the input's source. A pinned source without a version gets the version that was used before. */
export function pinnedSource(
  input: PlannedInput,
  { taken, scope }: { taken: TakenVersions; scope: ArtifactScope | undefined },
): InputSource {
  const { source, pin } = input;
  if (!pin || source.scheme !== "artifact" || source.reference.version !== undefined) return source;
  const version = taken.versionOf(input, scope);
  return version === undefined ? source : { ...source, reference: { ...source.reference, version } };
}

function key({ source, target }: PlannedInput, scope: ArtifactScope | undefined): string {
  const name = source.scheme === "artifact" ? source.reference.name : "";
  return JSON.stringify([scope?.app, scope?.user, scope?.session, name, target]);
}
