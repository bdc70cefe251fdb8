import {
  type ArtifactScope,
  type ArtifactStore,
  type ByteStream,
  type CallOptions,
  containedPath,
  type RuntimeWorkspace,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";
import type { PathContext } from "../path/locate-path.js";
import { workspacePath } from "../path/workspace-path.js";
import { openHostFile } from "./host-file.js";
import type { InputSource } from "./input-source.js";

/** Where the four schemes lead. */
export interface InputPlaces extends CallOptions {
  readonly skills: SkillCatalog;
  readonly artifacts: ArtifactStore | undefined;
  readonly scope: ArtifactScope | undefined;
  readonly hostRoots: readonly string[];
  readonly workspace: RuntimeWorkspace;
  readonly paths: PathContext;
}

export interface OpenedInput {
  readonly content: ByteStream;
  /** `name@version` for an artifact: which version was really taken. */
  readonly artifact?: string;
  /** To be called when the content is no longer wanted, read or not. */
  readonly close?: () => Promise<void>;
}

/**
 * @throws SkillError `UNSUPPORTED` for an artifact without a store or a session (TR-41), `REFUSED` for the host's files,
 *   `ARTIFACT_NOT_FOUND`, `SKILL_NOT_FOUND`, `FILE_NOT_FOUND` (TR-45), `PATH_OUTSIDE`, `PATH_INVALID`.
 */
export async function openInput(source: InputSource, places: InputPlaces): Promise<OpenedInput> {
  const { signal } = places;
  switch (source.scheme) {
    case "artifact":
      return await openArtifact(source.reference, places);
    case "host":
      return await openHostFile(source.path, places.hostRoots);
    case "workspace":
      return { content: await places.workspace.get(workspacePath(source.path, places.paths), { signal }) };
    case "skill":
      return { content: await places.skills.open(source.skill, containedPath(source.path), { signal }) };
  }
}

async function openArtifact(
  reference: { name: string; version?: number },
  { artifacts, scope, signal }: InputPlaces,
): Promise<OpenedInput> {
  if (!artifacts || !scope)
    throw new SkillError(
      "UNSUPPORTED",
      artifacts
        ? "Artifacts belong to a session and this run has none. Give `artifacts`, or use a session's workspace."
        : "There is no artifact store to take inputs from. Give `artifacts` to workspaceManager, or another source.",
    );
  const { artifact, content } = await artifacts.open(scope, reference.name, {
    version: reference.version,
    signal,
  });
  return { content, artifact: `${artifact.name}@${artifact.version}` };
}
