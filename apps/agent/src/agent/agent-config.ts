import type { SkillsPackageConfig } from "@skillwright/config";
import { Secret } from "@skillwright/core";
import { z } from "zod";

const name = z.string().min(1);

const modelConfig = z.strictObject({
  provider: name,
  model: name,
  apiKey: z.union([name, z.instanceof(Secret)]).optional(),
  baseURL: z.url().optional(),
  /** False for servers without streaming. */
  stream: z.boolean().default(true),
  /** False for models without a system prompt: the overview is then placed before the first user message. */
  systemPrompt: z.boolean().default(true),
});

const sandbox = z.strictObject({
  kind: z.enum(["local", "docker"]).default("local"),
  /** Isolation of a local runtime. */
  isolation: z.enum(["sandbox", "auto", "none"]).default("sandbox"),
  /** Image of a container runtime; defaults to the runtime's own small image. */
  image: name.optional(),
  /** Base of a relative `skillsPackage.path`. */
  workDir: name.default("."),
});

const session = z.strictObject({ app: name, user: name, session: name });

const overview = z.strictObject({
  format: z.enum(["xml", "markdown", "names"]).default("xml"),
  maxCharacters: z.int().min(1).default(4000),
  maxSkills: z.int().min(1).default(32),
});

const loads = z.strictObject({
  /** Where bodies of loaded skills are placed: in the results of tools, or in the system prompt, which then changes. */
  bodies: z.enum(["tool-results", "system"]).default("tool-results"),
  life: z.enum(["once", "turn", "session"]).default("turn"),
  /** Maximum number of loaded skills; the one loaded longest ago is unloaded first. */
  maxLoaded: z.int().min(1).default(8),
  /** Skills loaded in every turn, whatever the model does. */
  declared: z.array(name).default([]),
});

/** Which skill tools the model has. They and their descriptions stay the same for the agent's lifetime. */
const skillTools = z.strictObject({
  preset: z.enum(["load", "activate", "read"]).default("load"),
  /** `skill_search`. Defaults to true where the overview cannot hold all skills when the agent is created. */
  search: z.boolean().optional(),
  /** `skill_call`, for skills that declare parameters. */
  calls: z.boolean().default(false),
  /** Requires that a skill is loaded in the conversation before it runs. */
  requireLoad: z.boolean().default(false),
  /** Maximum characters of one tool result, as in `skillTools`. Defaults to 65,536; at least 4,096. */
  maxResultCharacters: z.int().min(4096).optional(),
});

/**
 * How much of a run's output is passed to listeners of a turn; the rest is reported as `run.output-dropped`. The
 * model's result does not depend on it.
 */
const eventLimits = z.strictObject({
  /** Total bytes of one run. Defaults to 4 MiB. */
  bytes: z.int().min(0).optional(),
  /** Sustained rate; this many bytes may also arrive at once. Defaults to 1 MiB. */
  bytesPerSecond: z.int().min(0).optional(),
});

const compaction = z.strictObject({
  /** A turn starts with a compaction when the history is longer than this many characters. Defaults to never. */
  atCharacters: z.int().min(1000).optional(),
  /** Number of user turns that are kept unchanged. */
  keepTurns: z.int().min(0).default(1),
});

/** The schema of a configuration, for `checkAgentConfig`. */
export const agentConfigSchema = z.strictObject({
  templateId: name,
  modelConfig,
  sandbox: sandbox.prefault({}),
  /** Validated by its own package. */
  skillsPackage: z.custom<SkillsPackageConfig>(() => true).optional(),
  /** Defaults to a new conversation; name one to continue it. */
  session: session.optional(),
  /** Distinguishes the loads of several agents that share a session. */
  agent: name.optional(),
  overview: overview.prefault({}),
  loads: loads.prefault({}),
  skillTools: skillTools.prefault({}),
  eventLimits: eventLimits.prefault({}),
  compaction: compaction.prefault({}),
  /** Number of user turns after which the profile is injected again; 0 for never. */
  agentPromptReinjectEvery: z.int().min(0).default(100),
  /** Maximum number of model calls in one user turn. */
  maxSteps: z.int().min(1).max(200).default(16),
});

/** The configuration that `createAgent` accepts. */
export type AgentConfig = z.input<typeof agentConfigSchema>;
/** The configuration with its defaults applied. */
export type CheckedAgentConfig = z.output<typeof agentConfigSchema>;
export type ModelConfig = CheckedAgentConfig["modelConfig"];
export type SkillToolsConfig = CheckedAgentConfig["skillTools"];
export type SandboxConfig = CheckedAgentConfig["sandbox"];
