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

/** The shape of a configuration, for `checkAgentConfig`. Source: seed 002, its `AgentConfig`. */
export const agentConfigSchema = z.strictObject({
  templateId: name,
  modelConfig,
  sandbox: sandbox.prefault({}),
  /** Checked by its own package. */
  skillsPackage: z.custom<SkillsPackageConfig>(() => true).optional(),
  /** A conversation of one's own by default; name one to go on with it. */
  session: session.optional(),
  /** Model calls a user turn. */
  maxSteps: z.int().min(1).max(200).default(16),
});

/** What `createAgent` takes. */
export type AgentConfig = z.input<typeof agentConfigSchema>;
/** The configuration with its defaults. */
export type CheckedAgentConfig = z.output<typeof agentConfigSchema>;
export type ModelConfig = CheckedAgentConfig["modelConfig"];
export type SandboxConfig = CheckedAgentConfig["sandbox"];
