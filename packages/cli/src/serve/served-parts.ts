import { configuredModel, type ModelChoice, modelChoice, type WorkspacesName } from "@skillwright/config";
import type { WorkspaceRuntime } from "@skillwright/core";
import { dockerRuntime } from "@skillwright/runtime-docker";
import { kubernetesRuntime } from "@skillwright/runtime-kubernetes";
import { localRuntime } from "@skillwright/runtime-local";
import type { AgentServerOptions, ServedAgent } from "@skillwright/server";
import type { CliContext } from "../cli-context.js";
import { configuredEnvironment } from "../environments/configured-environment.js";
import type { ConfiguredCatalog } from "../places/configured-catalog.js";
import type { ServeFlags } from "./serve-agent.js";
import { servedStores } from "./served-stores.js";

export interface ServedParts {
  readonly model: ModelChoice;
  readonly options: AgentServerOptions;
  /** Closes what was opened for the server, which goes first. */
  close(): Promise<void>;
}

/** The parts of the server as the command line and the configuration say. */
export async function servedParts(
  flags: Pick<ServeFlags, "model" | "isolation" | "data" | "metadata" | "artifacts" | "deleteArtifacts">,
  { loaded, usable, settings, host }: ConfiguredCatalog,
  context: CliContext,
): Promise<ServedParts> {
  const { configuration, diagnostics } = loaded;
  context.remark(...diagnostics.map(({ message, hint }) => `${message} ${hint}`));
  const { because, ...model } = modelChoice(flags.model, context.env, configuredModel(configuration));
  const { agent, skills, agentPromptReinjectEvery } = configuration;
  const { overview, sandbox, modelConfig, session: _session, skillsPackage: _package, ...rest } = agent;
  const { sessions, turns, artifacts, names, close, ...stores } = await servedStores(flags, context);
  const runtime = await runtimeOf(Object(sandbox), flags.isolation, names).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const registry = runtime.registry ?? stores.registry;
  return {
    model: { because, ...model },
    options: {
      agents: {
        assistant: {
          ...{ agentPromptReinjectEvery, ...rest },
          modelConfig: { ...Object(modelConfig), ...model },
          overview: {
            maxCharacters: skills.maxIndexChars,
            maxSkills: skills.maxListedSkills,
            ...Object(overview),
          },
        } satisfies ServedAgent,
      },
      ...{ runtime, registry, sessions, artifacts, turns, deleteArtifacts: flags.deleteArtifacts },
      skills: skills.enabled ? usable : undefined,
      dependencies: { environment: configuredEnvironment(settings, host, context) },
    },
    close: async () => {
      await runtime.close();
      await close();
    },
  };
}

async function runtimeOf(
  sandbox: NonNullable<ServedAgent["sandbox"]>,
  isolation: ServeFlags["isolation"],
  { shared, local }: WorkspacesName,
): Promise<WorkspaceRuntime> {
  const { kind, image, root, cluster } = sandbox;
  if (kind === "docker" && isolation === undefined) return dockerRuntime({ image, namespace: shared });
  if (kind === "kubernetes" && isolation === undefined)
    return kubernetesRuntime({ image, ...cluster, owner: shared });
  return localRuntime({ isolation: isolation ?? sandbox.isolation ?? "sandbox", root, namespace: local });
}
