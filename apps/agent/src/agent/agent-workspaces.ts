import type { SkillCatalog, Workspaces } from "@skillwright/core";
import { memoryArtifacts } from "@skillwright/repository-memory";
import { workspaceManager } from "@skillwright/workspace";
import type { AgentDependencies } from "./agent.js";
import type { CheckedAgentConfig } from "./agent-config.js";
import { defaultRegistry } from "./default-registry.js";

/** The agent's workspaces over the runtime that the factory creates; both are closed together. */
export function agentWorkspaces(
  { sandbox, eventLimits }: Pick<CheckedAgentConfig, "sandbox" | "eventLimits">,
  skills: SkillCatalog,
  destroyOnClose: boolean,
  dependencies: Pick<AgentDependencies, "runtime" | "artifacts" | "content" | "environment" | "registry">,
): { readonly workspaces: Workspaces; close(): Promise<void> } {
  const runtime = dependencies.runtime(sandbox);
  const { artifacts = memoryArtifacts(), content, environment } = dependencies;
  const workspaces = workspaceManager({
    skills,
    runtime,
    registry: dependencies.registry ?? runtime.registry ?? defaultRegistry(sandbox),
    artifacts,
    content,
    environment,
    eventLimits,
    destroyOnClose,
  });
  return {
    workspaces,
    close: async () => {
      await workspaces.close();
      await runtime.close();
    },
  };
}
