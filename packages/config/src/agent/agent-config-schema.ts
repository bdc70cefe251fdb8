import { Secret } from "@skillwright/core";
import { z } from "zod";
import { isUsableKey, USABLE_KEY } from "../models/usable-key.js";
import type { SkillsPackageConfig } from "../package/skills-package-config.js";
import { sandbox } from "./sandbox-schema.js";
import { skillTools } from "./skill-tools-schema.js";
import { workspaces } from "./workspaces-schema.js";

const name = z.string().min(1);

const modelConfig = z.strictObject({
  provider: name.describe(
    "`openai` (any server with that protocol), `anthropic`, `offline`, or one that the code knows.",
  ),
  model: name.describe("The model's name at the provider."),
  apiKey: z
    .union([name, z.instanceof(Secret)], { error: "text or a Secret" })
    .refine(isUsableKey, USABLE_KEY)
    .optional()
    .describe("The variable ANTHROPIC_API_KEY by default for `anthropic`, none for others."),
  baseURL: z.url().optional().describe("Address of the server; the provider's own by default."),
  stream: z.boolean().default(true).describe("False for servers without streaming."),
  systemPrompt: z
    .boolean()
    .default(true)
    .describe("False for models without a system prompt: its text then precedes the first user message."),
});

const session = z.strictObject({
  app: name.describe("The application's name."),
  user: name.describe("The user's name."),
  session: name.describe("The conversation's name."),
});

const overview = z.strictObject({
  format: z.enum(["xml", "markdown", "names"]).default("xml").describe("How the list is written."),
  maxCharacters: z.int().min(1).default(4000).describe("Most characters of the list."),
  maxSkills: z.int().min(1).default(32).describe("Most skills in the list."),
  maxTokens: z
    .int()
    .min(1)
    .optional()
    .describe("Most tokens of the list, counted by `dependencies.countTokens`; unlimited by default."),
  metadata: z
    .array(name)
    .optional()
    .describe("Keys of the skills' `metadata` that the format `xml` shows; none by default."),
  texts: z
    .strictObject({
      heading: z.string().optional().describe("The heading before guidance and list."),
      guidance: z.string().optional().describe("What the model is told to do with the list."),
      triggered: z.string().optional().describe("What to do with the triggered skills, after their names."),
      putBack: z.string().optional().describe("The text before bodies that are shown again."),
    })
    .optional()
    .describe("Replaces texts around the list; an empty one is removed. The injector's own by default."),
});

const declaredDocuments = z.strictObject({
  skill: name,
  documents: z.union([z.literal("*"), z.array(name).min(1)], { error: '"*", or a list of paths' }),
});

const loads = z.strictObject({
  bodies: z
    .enum(["tool-results", "system"])
    .default("tool-results")
    .describe(
      "Where bodies of loaded skills are placed; with `system`, each load changes the system prompt.",
    ),
  life: z
    .enum(["once", "turn", "session"])
    .default("turn")
    .describe("How long a skill stays loaded: for one request, one turn or the session."),
  maxLoaded: z
    .int()
    .min(1)
    .default(8)
    .describe("Most loaded skills; the one loaded longest ago is unloaded first."),
  declared: z
    .array(z.union([name, declaredDocuments], { error: "a name, or an object with `skill` and `documents`" }))
    .default([])
    .describe(
      'Skills loaded in every turn: names, or `{ skill, documents }` with paths of documents (`"*"` for all).',
    ),
});

const eventLimits = z.strictObject({
  bytes: z.int().min(0).optional().describe("Most bytes of one run; 4 MiB by default."),
  bytesPerSecond: z
    .int()
    .min(0)
    .optional()
    .describe("Most bytes per second; this many may also arrive at once. 1 MiB by default."),
});

const compaction = z.strictObject({
  atCharacters: z
    .int()
    .min(1000)
    .optional()
    .describe("A turn starts with a compaction if the history has more characters; never by default."),
  keepTurns: z.int().min(0).default(1).describe("Number of user turns that are kept unchanged."),
});

/** Checked by `checkSkillsPackage`, which applies its defaults, when it is opened. */
export const handedOnPackage = z.custom<SkillsPackageConfig>(() => true);

/** The schema of `AgentConfig`. */
export const agentConfigSchema = z.strictObject({
  templateId: name.default("assistant").describe("One of the templates."),
  modelConfig: modelConfig.describe("The model."),
  sandbox: sandbox.prefault({}).describe("Where commands run; a sandbox on this machine by default."),
  skillsPackage: handedOnPackage.optional().describe("A folder or bucket with skills and commands."),
  session: session
    .optional()
    .describe("The conversation. Name one to continue it; a new one by default, gone with the agent."),
  agent: name
    .optional()
    .describe("Separates the loaded skills of several agents that share a session; none by default."),
  overview: overview.prefault({}).describe("The list of skills in the system prompt."),
  loads: loads.prefault({}).describe("How skills are loaded and unloaded."),
  skillTools: skillTools.prefault({}).describe("The skill tools of the model."),
  workspaces: workspaces.prefault({}).describe("How workspaces are kept, and what runs in them may use."),
  eventLimits: eventLimits
    .prefault({})
    .describe(
      "How much of a run's output listeners of a turn receive; the model's result does not depend on it.",
    ),
  compaction: compaction.prefault({}).describe("How a long history is shortened."),
  agentPromptReinjectEvery: z
    .int()
    .min(0)
    .default(100)
    .describe("Number of user turns after which the profile is injected again; 0 for never."),
  maxSteps: z.int().min(1).max(200).default(16).describe("Most model calls in one user turn."),
});

/**
 * The same fields in a file: all optional, also in the objects that files and command line merge field by field.
 */
export const agentPartSchema = agentConfigSchema
  .extend({
    modelConfig: modelConfig.partial(),
    session: session.partial(),
    sandbox: sandbox.extend({ hostFolder: sandbox.shape.hostFolder.unwrap().partial().optional() }),
  })
  .partial();

/** The configuration with its defaults applied. */
export type CheckedAgentConfig = z.output<typeof agentConfigSchema>;
