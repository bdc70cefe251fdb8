import { configuredModel, type ModelChoice, modelChoice } from "@skillwright/config";
import type { WorkspaceRuntime } from "@skillwright/core";
import type { AgentServerOptions, ServedAgent } from "@skillwright/server";
import type { CliContext } from "../cli-context.js";
import { configuredEnvironment } from "../environments/configured-environment.js";
import type { ConfiguredCatalog } from "../places/configured-catalog.js";
import { configuredOverview } from "./configured-overview.js";
import type { ServeFlags } from "./serve-agent.js";
import { servingPlace } from "./serving-place.js";

export interface ServedParts {
  readonly model: ModelChoice;
  readonly runtime: WorkspaceRuntime;
  readonly options: AgentServerOptions;
  /** Closes what was opened for the server, which goes first. */
  close(): Promise<void>;
}

/** Opens the parts of the server that the command line and the configuration name. `eventLimits` are defaults for those of the configuration. */
export async function servedParts(
  flags: Pick<
    ServeFlags,
    "model" | "isolation" | "issuer" | "data" | "records" | "artifacts" | "keepArtifacts"
  >,
  { loaded, usable, settings, host }: ConfiguredCatalog,
  context: CliContext,
  eventLimits?: ServedAgent["eventLimits"],
): Promise<ServedParts> {
  const { configuration, diagnostics } = loaded;
  context.remark(...diagnostics.map(({ message, hint }) => `${message} ${hint}`));
  const { because, ...model } = modelChoice(flags.model, context.env, configuredModel(configuration));
  const { agent, skills, agentPromptReinjectEvery } = configuration;
  const {
    overview: _overview,
    sandbox: _sandbox,
    modelConfig,
    session: _session,
    skillsPackage: _package,
    ...rest
  } = agent;
  const { runtime, registry, stores, close } = await servingPlace(flags, loaded, context);
  const { records, artifacts } = stores;
  return {
    model: { because, ...model },
    runtime,
    options: {
      agents: {
        assistant: {
          ...{ agentPromptReinjectEvery, ...rest },
          eventLimits: { ...eventLimits, ...Object(rest["eventLimits"]) },
          modelConfig: { ...Object(modelConfig), ...model },
          overview: configuredOverview(configuration),
        } satisfies ServedAgent,
      },
      ...{ runtime, registry, records, artifacts, keepArtifacts: flags.keepArtifacts },
      keep: configuration.stores.keep,
      skills: skills.enabled ? usable : undefined,
      dependencies: { environment: configuredEnvironment(settings, host, context) },
    },
    close,
  };
}
