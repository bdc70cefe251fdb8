import {
  type ArtifactScope,
  type ArtifactStore,
  type CallOptions,
  type Diagnostic,
  type RuntimeWorkspace,
  type SkillCatalog,
  SkillError,
  type WorkspaceRun,
} from "@skillwright/core";
import { withSpan } from "@skillwright/core/adapter";
import type { PathContext } from "../path/locate-path.js";
import { workspacePath } from "../path/workspace-path.js";
import { hostPlace } from "./host-place.js";
import { hostTree } from "./host-tree.js";
import type { InputSource } from "./input-source.js";
import { type InputTree, singleFile } from "./input-tree.js";
import { skillTree } from "./skill-tree.js";
import { workspaceTree } from "./workspace-tree.js";

/** Where the sources of the four schemes are found. */
export interface InputPlaces extends CallOptions {
  readonly skills: SkillCatalog;
  readonly artifacts: ArtifactStore | undefined;
  readonly scope: ArtifactScope | undefined;
  readonly hostRoots: readonly string[];
  readonly workspace: RuntimeWorkspace;
  readonly paths: PathContext;
  /** Skills that were already resolved. */
  readonly resolved: WorkspaceRun["resolved"];
  readonly tell: (diagnostic: Diagnostic) => void;
}

/**
 * Resolves a source to its files without reading them.
 * @throws SkillError `UNSUPPORTED` for an artifact without a store or a session, `REFUSED` for the host's
 * files, `ARTIFACT_NOT_FOUND`, `SKILL_NOT_FOUND`, `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID`,
 * `LIMIT_EXCEEDED`, `DIGEST_MISMATCH` from a content that differs from the skill's manifest.
 */
export async function resolveInput(source: InputSource, places: InputPlaces): Promise<InputTree> {
  switch (source.scheme) {
    case "artifact":
      return await artifactFile(source.reference, places);
    case "host":
      return await hostTree(await hostPlace(source.path, places.hostRoots), places);
    case "workspace":
      return await workspaceTree(workspacePath(source.path, places.paths), places.workspace, places);
    case "skill": {
      const { skills, signal } = places;
      const load = () =>
        withSpan("skill.load", { skill: source.skill }, () => skills.load(source.skill, { signal }));
      const skill = places.resolved?.find(({ name }) => name === source.skill) ?? (await load());
      return skillTree(skill, source.path, places);
    }
  }
}

async function artifactFile(
  reference: { name: string; version?: number },
  { artifacts, scope, signal }: InputPlaces,
): Promise<InputTree> {
  if (!artifacts || !scope)
    throw new SkillError(
      "UNSUPPORTED",
      artifacts
        ? "Artifacts belong to a session, and this run has none. Give `artifacts`, or use the workspace of a session."
        : "There is no artifact store to take inputs from. Give `artifacts` to workspaceManager, or another source.",
    );
  const { artifact, content } = await artifacts.open(scope, reference.name, {
    version: reference.version,
    signal,
  });
  return { ...singleFile({ size: artifact.size, open: async () => ({ content }) }), artifact };
}
