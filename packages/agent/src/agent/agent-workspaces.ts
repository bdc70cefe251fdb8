import type { SkillCatalog, WorkspaceRuntime, Workspaces } from "@skillwright/core";
import { memoryArtifacts } from "@skillwright/repository-memory";
import { workspaceManager } from "@skillwright/workspace";
import type { AgentDependencies } from "./agent.js";
import type { CheckedAgentConfig } from "./agent-config-schema.js";
import { defaultRegistry } from "./default-registry.js";

/** Creates the agent's workspaces on this runtime. */
export function agentWorkspaces(
  { sandbox, eventLimits }: Pick<CheckedAgentConfig, "sandbox" | "eventLimits">,
  runtime: WorkspaceRuntime,
  skills: SkillCatalog,
  destroyOnClose: boolean,
  dependencies: Pick<AgentDependencies, "artifacts" | "content" | "environment" | "registry">,
): Workspaces {
  const { artifacts = memoryArtifacts(), content, environment } = dependencies;
  return workspaceManager({
    skills,
    runtime,
    registry: dependencies.registry ?? runtime.registry ?? defaultRegistry(sandbox),
    artifacts,
    content,
    environment,
    eventLimits,
    destroyOnClose,
  });
}
