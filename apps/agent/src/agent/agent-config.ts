import type { SkillsPackageConfig } from "@skillwright/config";
import { Secret } from "@skillwright/core";
import { z } from "zod";

const name = z.string().min(1);

const modelConfig = z.strictObject({
  provider: name,
  model: name,
  apiKey: z.union([name, z.instanceof(Secret)]).optional(),
  baseURL: z.url().optional(),
  /** False for servers that cannot stream. */
  stream: z.boolean().default(true),
  /** False for models without a system prompt: the overview then goes before the first user message. */
  systemPrompt: z.boolean().default(true),
});

const sandbox = z.strictObject({
  kind: z.enum(["local", "docker"]).default("local"),
  /** Of a local one. */
  isolation: z.enum(["sandbox", "auto", "none"]).default("sandbox"),
  /** Of one in containers: the runtime's own small image where it is missing. */
  image: name.optional(),
  /** What `skillsPackage.path` is relative to. */
  workDir: name.default("."),
});

const session = z.strictObject({ app: name, user: name, session: name });

const overview = z.strictObject({
  format: z.enum(["xml", "markdown", "names"]).default("xml"),
  maxCharacters: z.int().min(1).default(4000),
  maxSkills: z.int().min(1).default(32),
});

const loads = z.strictObject({
  /** Where the bodies of loaded skills stand: in the results of tools, or in the system prompt, which then changes. */
  bodies: z.enum(["tool-results", "system"]).default("tool-results"),
  life: z.enum(["once", "turn", "session"]).default("turn"),
  /** Skills loaded at once; the one loaded longest ago goes first. */
  maxLoaded: z.int().min(1).default(8),
  /** Loaded in every turn, whatever the model does. */
  declared: z.array(name).default([]),
});

/** Which tools of skills the model has. They stay the same for the agent's life, as does what is said of them. */
const skillTools = z.strictObject({
  preset: z.enum(["load", "activate", "read"]).default("load"),
  /** `skill_search`; by default where the overview has no room for all skills when the agent is made. */
  search: z.boolean().optional(),
  /** `skill_call`, for skills that declare parameters. */
  calls: z.boolean().default(false),
  /** A skill must be loaded in the conversation before it runs. */
  requireLoad: z.boolean().default(false),
  /** Characters of one tool's result, as `skillTools` has it: 65,536 by default, 4,096 at least. */
  maxResultCharacters: z.int().min(4096).optional(),
});

/** How much of a run's output listeners of a turn hear; the rest is told as `run.output-dropped`. The model's result does not depend on it. */
const eventLimits = z.strictObject({
  /** Of one run; 4 MiB by default. */
  bytes: z.int().min(0).optional(),
  /** 1 MiB by default; as much may come at once. */
  bytesPerSecond: z.int().min(0).optional(),
});

const compaction = z.strictObject({
  /** The history's size in characters beyond which a turn begins with a compaction; never by default. */
  atCharacters: z.int().min(1000).optional(),
  /** User turns that stay as they are. */
  keepTurns: z.int().min(0).default(1),
});

/** The shape of a configuration, for `checkAgentConfig`. */
export const agentConfigSchema = z.strictObject({
  templateId: name,
  modelConfig,
  sandbox: sandbox.prefault({}),
  /** Checked by its own package. */
  skillsPackage: z.custom<SkillsPackageConfig>(() => true).optional(),
  /** A conversation of one's own by default; name one to go on with it. */
  session: session.optional(),
  /** Tells the loads of several agents apart that share a session. */
  agent: name.optional(),
  overview: overview.prefault({}),
  loads: loads.prefault({}),
  skillTools: skillTools.prefault({}),
  eventLimits: eventLimits.prefault({}),
  compaction: compaction.prefault({}),
  /** User turns after which the profile is injected again; 0 for never. */
  agentPromptReinjectEvery: z.int().min(0).default(100),
  /** Model calls a user turn. */
  maxSteps: z.int().min(1).max(200).default(16),
});

/** What `createAgent` takes. */
export type AgentConfig = z.input<typeof agentConfigSchema>;
/** The configuration with its defaults. */
export type CheckedAgentConfig = z.output<typeof agentConfigSchema>;
export type ModelConfig = CheckedAgentConfig["modelConfig"];
export type SkillToolsConfig = CheckedAgentConfig["skillTools"];
export type SandboxConfig = CheckedAgentConfig["sandbox"];
