import {
  configuredModel,
  type ModelChoice,
  modelChoice,
  openStores,
  type WorkspacesName,
} from "@skillwright/config";
import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { dockerRuntime } from "@skillwright/runtime-docker";
import { kubernetesRuntime } from "@skillwright/runtime-kubernetes";
import { localRuntime } from "@skillwright/runtime-local";
import type { AgentServerOptions, ServedAgent } from "@skillwright/server";
import type { CliContext } from "../cli-context.js";
import { configuredEnvironment } from "../environments/configured-environment.js";
import type { ConfiguredCatalog } from "../places/configured-catalog.js";
import { dataFolder } from "./data-folder.js";
import type { ServeFlags } from "./serve-agent.js";

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
  const { cwd, env } = context;
  // With --data, everything is in that folder unless another option gives it a place; the configuration's places are not used.
  const configured = flags.data === undefined ? configuration.stores : {};
  const { metadata = configured.metadata, artifacts: place = configured.artifacts } = flags;
  const isElsewhere = metadata !== undefined && place !== undefined;
  const data = isElsewhere && flags.data === undefined ? undefined : dataFolder(flags.data, context);
  const stores = await openStores({ data, metadata, artifacts: place, cwd, env });
  const { sessions, turns, artifacts } = stores;
  const runtime = await runtimeOf(Object(sandbox), flags.isolation, stores.names).catch(
    async (error: unknown) => {
      await stores.close();
      throw error;
    },
  );
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
      await stores.close();
    },
  };
}

async function runtimeOf(
  sandbox: NonNullable<ServedAgent["sandbox"]>,
  isolation: ServeFlags["isolation"],
  { shared, local }: WorkspacesName,
): Promise<WorkspaceRuntime> {
  const { kind, image, root, cluster, skillCopies, hostFolder } = sandbox;
  if (hostFolder) throw noFolder();
  const isLocal = isolation !== undefined || kind === undefined || kind === "local";
  if (!isLocal && kind === "kubernetes") return kubernetesRuntime({ image, ...cluster, owner: shared });
  // The runtime checks the value and refuses one that it does not support.
  const copies = skillCopies && { skillCopies: skillCopies as "none" };
  if (!isLocal) return dockerRuntime({ image, namespace: shared, ...copies });
  return localRuntime({
    isolation: isolation ?? sandbox.isolation ?? "sandbox",
    ...{ root, namespace: local, skillCopies },
  });
}

function noFolder(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    "A server cannot work in a folder of this machine, because it can ask nobody before its first turn. Remove agent.sandbox.hostFolder from the configuration, and upload the files.",
  );
}
