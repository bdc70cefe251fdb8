import type { CheckedAgentConfig } from "@skillwright/config";
import type { SkillCatalog, WorkspaceRuntime } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryArtifacts } from "@skillwright/repository-memory";
import {
  type EnvironmentStore,
  environmentStore,
  type WorkspaceManager,
  workspaceManager,
} from "@skillwright/workspace";
import type { AgentDependencies } from "./agent.js";
import { configuredPolicies } from "./configured-policies.js";
import { defaultRegistry } from "./default-registry.js";
import type { WorkspacesConfig } from "./workspaces-config.js";

/** Creates the agent's workspaces on this runtime. */
export function agentWorkspaces(
  { sandbox, eventLimits, workspaces }: Pick<CheckedAgentConfig, "sandbox" | "eventLimits" | "workspaces">,
  runtime: WorkspaceRuntime,
  skills: SkillCatalog,
  { destroyOnClose, namespace }: { readonly destroyOnClose: boolean; readonly namespace: string | undefined },
  dependencies: Pick<
    AgentDependencies,
    "artifacts" | "content" | "environment" | "records" | "registry" | "workspaces"
  >,
): WorkspaceManager {
  const { artifacts = memoryArtifacts(), content, environment, workspaces: more = {} } = dependencies;
  const { policies, registry, environments, ...rules } = workspaces;
  const registered = registry === undefined ? undefined : recordRegistry(fsRecords({ root: registry }));
  const { records } = dependencies;
  const kept = () => (records ? recordRegistry(records) : defaultRegistry(sandbox, namespace));
  return workspaceManager({
    ...(rules as Omit<WorkspacesConfig, "policies" | "registry" | "environments">),
    environments: storeOf(environments),
    ...more,
    policies: [...configuredPolicies(policies), ...(more.policies ?? [])],
    skills,
    runtime,
    registry: dependencies.registry ?? registered ?? runtime.registry ?? kept(),
    artifacts,
    content,
    environment,
    eventLimits,
    destroyOnClose,
  });
}

function storeOf(
  environments: CheckedAgentConfig["workspaces"]["environments"],
): "auto" | EnvironmentStore | undefined {
  if (typeof environments !== "object") return environments === "auto" ? "auto" : undefined;
  const { root, maxBytes } = environments;
  return environmentStore({
    ...(root !== undefined && { root }),
    ...(maxBytes !== undefined && { maxBytes }),
  });
}
