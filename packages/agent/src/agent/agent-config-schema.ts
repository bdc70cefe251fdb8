import type { SkillsPackageConfig } from "@skillwright/config";
import { Secret } from "@skillwright/core";
import { z } from "zod";

const name = z.string().min(1);

const modelConfig = z.strictObject({
  provider: name,
  model: name,
  apiKey: z.union([name, z.instanceof(Secret)]).optional(),
  baseURL: z.url().optional(),
  stream: z.boolean().default(true),
  systemPrompt: z.boolean().default(true),
});

const sandbox = z.strictObject({
  kind: z.enum(["local", "docker"]).default("local"),
  isolation: z.enum(["sandbox", "auto", "none"]).default("sandbox"),
  image: name.optional(),
  workDir: name.default("."),
  root: name.optional(),
  skillCopies: z.enum(["none", "run", "workspace"]).optional(),
  hostFolder: z
    .strictObject({
      path: name,
      undo: z.boolean().default(true),
      maxFiles: z.int().min(1).optional(),
      maxBytes: z.int().min(1).optional(),
    })
    .optional(),
});

const session = z.strictObject({ app: name, user: name, session: name });

const overview = z.strictObject({
  format: z.enum(["xml", "markdown", "names"]).default("xml"),
  maxCharacters: z.int().min(1).default(4000),
  maxSkills: z.int().min(1).default(32),
  maxTokens: z.int().min(1).optional(),
  metadata: z.array(name).optional(),
  texts: z
    .strictObject({
      heading: z.string().optional(),
      guidance: z.string().optional(),
      triggered: z.string().optional(),
      putBack: z.string().optional(),
    })
    .optional(),
});

const declaredDocuments = z.strictObject({
  skill: name,
  documents: z.union([z.literal("*"), z.array(name).min(1)]),
});

const loads = z.strictObject({
  bodies: z.enum(["tool-results", "system"]).default("tool-results"),
  life: z.enum(["once", "turn", "session"]).default("turn"),
  maxLoaded: z.int().min(1).default(8),
  declared: z.array(z.union([name, declaredDocuments])).default([]),
});

const skillTools = z.strictObject({
  preset: z.enum(["load", "activate", "read"]).default("load"),
  search: z.boolean().optional(),
  calls: z.union([z.boolean(), z.literal("tools")]).default(false),
  requireLoad: z.boolean().default(false),
  maxResultCharacters: z.int().min(4096).optional(),
  manage: z
    .union([
      z.boolean(),
      z.strictObject({
        scopes: z.record(name, name).optional(),
        review: z.enum(["ask", "later", "none"]).optional(),
      }),
    ])
    .default(false),
  interactive: z
    .union([
      z.boolean(),
      z.strictObject({ maxRuns: z.int().min(1).optional(), idleMs: z.int().min(1).optional() }),
    ])
    .default(false),
  preApproved: z.boolean().default(false),
  saveOutputs: z.boolean().default(false),
  commands: z
    .strictObject({ allowed: z.array(name).optional(), denied: z.array(name).optional() })
    .optional(),
});

const amount = z.union([name, z.number().min(0)]);

const policy = z.strictObject({
  when: z.union([
    z.strictObject({ idleFor: amount }),
    z.strictObject({ olderThan: amount }),
    z.strictObject({ largerThan: amount }),
    z.strictObject({ moreThan: z.int().min(0) }),
  ]),
  do: z.enum(["destroy", "pause", "keep"]),
});

const limit = z.number().min(0).optional();

const bootstrapStep = z.strictObject({
  name,
  files: z
    .array(z.strictObject({ path: name, content: z.string(), executable: z.boolean().optional() }))
    .optional(),
  commands: z.array(name).optional(),
  network: z.boolean().optional(),
  timeoutMs: z.int().min(1).optional(),
  cache: z.array(name).optional(),
});

const workspaces = z.strictObject({
  policies: z.array(policy).optional(),
  policyInterval: amount.optional(),
  policyLimits: z
    .strictObject({
      timeout: amount.optional(),
      files: z.int().min(0).optional(),
      bytes: amount.optional(),
    })
    .optional(),
  registry: name.optional(),
  hostInputRoots: z.array(name).optional(),
  allowNetwork: z.boolean().default(false),
  limits: z
    .strictObject({
      ...{ memoryBytes: limit, cpu: limit, processes: limit, openFiles: limit },
      ...{ fileBytes: limit, diskBytes: limit, inodes: limit },
    })
    .optional(),
  bootstrap: z.array(bootstrapStep).optional(),
});

const eventLimits = z.strictObject({
  bytes: z.int().min(0).optional(),
  bytesPerSecond: z.int().min(0).optional(),
});

const compaction = z.strictObject({
  atCharacters: z.int().min(1000).optional(),
  keepTurns: z.int().min(0).default(1),
});

/** The schema of `AgentConfig`. */
export const agentConfigSchema = z.strictObject({
  templateId: name.default("assistant"),
  modelConfig,
  sandbox: sandbox.prefault({}),
  skillsPackage: z.custom<SkillsPackageConfig>(() => true).optional(),
  session: session.optional(),
  agent: name.optional(),
  overview: overview.prefault({}),
  loads: loads.prefault({}),
  skillTools: skillTools.prefault({}),
  workspaces: workspaces.prefault({}),
  eventLimits: eventLimits.prefault({}),
  compaction: compaction.prefault({}),
  agentPromptReinjectEvery: z.int().min(0).default(100),
  maxSteps: z.int().min(1).max(200).default(16),
});

/** The configuration with its defaults applied. */
export type CheckedAgentConfig = z.output<typeof agentConfigSchema>;
