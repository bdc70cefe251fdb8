import { resolve } from "node:path";
import type { AgentConfig, ModelConfig, SandboxConfig } from "@skillwright/agent";
import type { Configuration, ModelChoice } from "@skillwright/config";
import { type JsonObject, type JsonValue, SkillError } from "@skillwright/core";
import type { DemoOptions } from "./command-line.js";

/**
 * The agent's configuration, unchecked: what the command line decides over what the configuration file has.
 * @throws SkillError `CONFIG_INVALID` for a field of the file that the command line decides.
 */
export function agentConfig(
  options: DemoOptions,
  cwd: string,
  { agent: configured, skills, agentPromptReinjectEvery }: Configuration,
  { because: _because, ...model }: ModelChoice,
): AgentConfig {
  checkDecided(configured);
  const { overview, sandbox, modelConfig, ...rest } = configured;
  const { stream = true, systemPrompt } = Object(modelConfig) as Partial<ModelConfig>;
  return {
    ...{ agentPromptReinjectEvery, ...rest },
    templateId: "assistant",
    modelConfig: { ...model, stream: options.stream && stream, systemPrompt },
    ...(options.session !== undefined && {
      session: { app: "agent", user: "local", session: options.session },
    }),
    ...(options.agent !== undefined && { agent: options.agent }),
    overview: { maxCharacters: skills.maxIndexChars, maxSkills: skills.maxListedSkills, ...Object(overview) },
    sandbox: sandboxOf(options, cwd, sandbox),
  };
}

function checkDecided(configured: JsonObject): void {
  for (const field of ["templateId", "skillsPackage", "session", "agent"])
    if (Object.hasOwn(configured, field))
      throw new SkillError(
        "CONFIG_INVALID",
        `agent.${field} of the configuration is decided by the command line. Remove it; --help lists the options.`,
        { details: { fields: [{ path: `agent.${field}` }] } },
      );
}

/** Where commands run. */
function sandboxOf(
  { runtime: kind, isolation, image, workspace }: DemoOptions,
  cwd: string,
  configured: JsonValue | undefined,
): SandboxConfig {
  const given = Object(configured) as SandboxConfig;
  const hostFolder =
    workspace === undefined ? given.hostFolder : { ...given.hostFolder, path: resolve(cwd, workspace) };
  return {
    ...given,
    kind: kind ?? given.kind ?? "local",
    isolation: isolation ?? given.isolation ?? "auto",
    ...(image !== undefined && { image }),
    ...(hostFolder !== undefined && { hostFolder }),
  };
}
