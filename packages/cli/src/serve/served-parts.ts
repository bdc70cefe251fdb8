import { join, resolve } from "node:path";
import { configuredModel, type ModelChoice, modelChoice } from "@skillwright/config";
import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { fsArtifacts, fsSessions, fsTurns } from "@skillwright/repository-fs";
import { dockerRuntime } from "@skillwright/runtime-docker";
import { localRuntime } from "@skillwright/runtime-local";
import type { AgentServerOptions, ServedAgent } from "@skillwright/server";
import type { CliContext } from "../cli-context.js";
import { configuredEnvironment } from "../environments/configured-environment.js";
import type { ConfiguredCatalog } from "../places/configured-catalog.js";
import type { ServeFlags } from "./serve-agent.js";

export interface ServedParts {
  readonly model: ModelChoice;
  readonly options: AgentServerOptions;
  /** Closes what was opened for the server, which goes first. */
  close(): Promise<void>;
}

/** The parts of the server as the command line and the configuration say. */
export async function servedParts(
  flags: Pick<ServeFlags, "model" | "isolation" | "data">,
  { loaded, usable, settings, host }: ConfiguredCatalog,
  context: CliContext,
): Promise<ServedParts> {
  const { configuration, diagnostics } = loaded;
  context.remark(...diagnostics.map(({ message, hint }) => `${message} ${hint}`));
  const { because, ...model } = modelChoice(flags.model, context.env, configuredModel(configuration));
  const { agent, skills, agentPromptReinjectEvery } = configuration;
  const { overview, sandbox, modelConfig, session: _session, skillsPackage: _package, ...rest } = agent;
  const runtime = runtimeOf(Object(sandbox), flags.isolation);
  const data = dataFolder(flags.data, context);
  const sessions = fsSessions({ root: join(data, "sessions") });
  const artifacts = fsArtifacts({ root: join(data, "artifacts") });
  const turns = fsTurns({ root: join(data, "turns") });
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
      ...{ runtime, sessions, artifacts, turns },
      skills: skills.enabled ? usable : undefined,
      dependencies: { environment: configuredEnvironment(settings, host, context) },
    },
    close: async () => {
      await runtime.close();
      await sessions.close();
      await artifacts.close();
      await turns.close();
    },
  };
}

function runtimeOf(
  sandbox: NonNullable<ServedAgent["sandbox"]>,
  isolation: ServeFlags["isolation"],
): WorkspaceRuntime {
  const { kind, image, root } = sandbox;
  if (kind === "docker" && isolation === undefined) return dockerRuntime({ image });
  return localRuntime({ isolation: isolation ?? sandbox.isolation ?? "sandbox", root });
}

function dataFolder(given: string | undefined, { cwd, env }: Pick<CliContext, "cwd" | "env">): string {
  if (given !== undefined) return resolve(cwd, given);
  const home = env["HOME"] ?? env["USERPROFILE"];
  if (home) return join(home, ".skillwright");
  const message = "There is no home directory to keep conversations in. Give a folder with --data.";
  throw new SkillError("CONFIG_INVALID", message);
}
