import type { JsonObject } from "@skillwright/core";
import { z } from "zod";
import { agentConfigSchema, agentPartSchema, handedOnPackage } from "../agent/agent-config-schema.js";
import { withOwnFields } from "../agent/own-fields.js";
import { configurationInvalid } from "../checking/configuration-invalid.js";
import { type FieldProblem, fieldProblems } from "../checking/schema-issue.js";
import { withoutWrong } from "../checking/without-wrong.js";
import { skillsPackageProblems } from "../package/check-skills-package.js";
import { skillsPackageSchema } from "../package/skills-package-config.js";
import { type ConfigurationFile, SKILL_PLACE_KINDS } from "./configuration-file.js";
import { withOwnNames } from "./other-clients-names.js";

const name = z.string().min(1);
const names = z.array(name);
const count = z.int().min(1);
const text = z.union([z.string(), z.strictObject({ from: name })]);
const values = z.record(z.string(), z.json());
const keptFor = (meaning: string) =>
  z
    .union([z.int().min(60_000), z.literal(false)])
    .optional()
    .describe(meaning);

const entry = z.strictObject({
  enabled: z.boolean().optional().describe("False disables the skill."),
  env: z.record(name, text).optional().describe("Variables for runs of this skill only."),
  api_key: text.optional().describe("The value of the variable that the skill declares as primaryEnv."),
  config: values.optional().describe("Values for runs of this skill only, passed as JSON in SKILL_CONFIG."),
});

const repository = z.union([
  name,
  z.strictObject({
    source: name,
    trusted: z.boolean().optional(),
    env: z.record(name, text).optional().describe("Variables of a server with mcp+stdio:."),
  }),
]);

const skills = z.strictObject({
  enabled: z.boolean().optional().describe("False turns off the overview and the skill tools. Default true."),
  sources: z
    .array(z.enum(SKILL_PLACE_KINDS))
    .optional()
    .describe("The places that are searched. Default all."),
  repositories: z
    .record(name, repository)
    .optional()
    .describe(
      "More sources by name, strongest first: a folder, an archive, s3://bucket/prefix, git+https://…, https://…, mcp+stdio:program, mcp+https://…, sqlite:path, postgres://…",
    ),
  link_roots: names
    .optional()
    .describe(
      "Folders to which links in folders of skills may lead; `~/` is the home directory. Default none: links stay in their project.",
    ),
  max_index_chars: count.optional().describe("Characters of the overview. Default 4000."),
  max_listed_skills: count.optional().describe("Skills in the overview. Default 32."),
  allow: names.optional().describe("The only skills to use. If absent, all are used; if empty, none."),
  allow_bundled: names
    .optional()
    .describe("The only bundled skills to use. If absent, all are used; if empty, none."),
  pass_env: names.optional().describe("Host variables that a skill receives if it declares them."),
  values: values.optional().describe("Values of the settings that skills declare as requirements."),
  entries: z
    .record(name, entry)
    .optional()
    .describe("Settings per skill, by the key that the skill declares, or else by its name."),
});

const reinject = z
  .int()
  .min(0)
  .optional()
  .describe("Number of user turns after which the agent's profile is repeated. Default 100; 0 means never.");

const schema = z.strictObject({
  $schema: z.string().optional(),
  skills: skills.optional(),
  agent: agentPartSchema
    .optional()
    .describe("The agent's configuration. In the terminal, the command line decides some of its fields."),
  stores: z
    .strictObject({
      records: text
        .optional()
        .describe(
          "Conversations, turns, approvals and workspaces: a folder, sqlite:path, redis://host:port, postgres://host/database. Default: the data folder.",
        ),
      artifacts: text
        .optional()
        .describe(
          "Saved outputs: a folder, s3://bucket/prefix, sqlite:path, postgres://host/database. Default: the data folder.",
        ),
      keep: z
        .strictObject({
          eventsMs: keptFor(
            "Milliseconds for which a server keeps the events of turns and the output of their commands after the last change of a conversation. Default 2592000000, 30 days.",
          ),
          outputsMs: keptFor("The same for saved outputs. Default false."),
          conversationsMs: keptFor("The same for whole conversations. Default false."),
        })
        .optional(),
    })
    .optional()
    .describe("Where agents keep what outlives their process; the command line decides first."),
  agent_prompt_reinject_every: reinject,
  gateway: z.strictObject({ agent_prompt_reinject_every: reinject }).optional(),
  tools: names
    .optional()
    .describe(
      "Tools that the agent has in addition to Skillwright's own; doctor does not warn about skills that mention them.",
    ),
  trusted_projects: names
    .optional()
    .describe(
      "Only in the file in your home directory: project folders whose own configuration file is used in full and may be a program.",
    ),
});

/**
 * Validates a configuration; names of OpenClaw are accepted for these fields.
 * @param where Start of the message, such as the file's path.
 * @throws SkillError `CONFIG_INVALID` with one line per wrong field: its path, the given value, what is expected; the
 * same as data in `details.fields`.
 */
export function checkConfiguration(given: unknown, where: string): ConfigurationFile {
  const named = withNames(given);
  const checked = schema.safeParse(named);
  const own = checked.success ? [] : fieldProblems(checked.error.issues, named);
  const fields = [...own, ...skillsPackageProblems(agentOf(named), "agent.")];
  if (!checked.success || fields.length > 0) throw configurationInvalid(where, fields);
  return checkedFile(checked.data, named);
}

/**
 * Returns the valid parts of the value; the rest is left out. A list with an invalid element is left out as a whole.
 * @param tell Called with each problem.
 */
export function fittingConfiguration(
  given: unknown,
  tell: (problems: readonly FieldProblem[]) => void,
): ConfigurationFile {
  let rest = withNames(structuredClone(given));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const checked = schema.safeParse(rest);
    if (checked.success) return checkedFile(checked.data, rest);
    tell(fieldProblems(checked.error.issues, rest));
    rest = checked.error.issues.reduce<unknown>((value, issue) => withoutWrong(value, issue), rest);
  }
  return {};
}

/** A wrong field may hide others below it, which are found in the next round; there are six levels. */
const MOST_ROUNDS = 8;

/** The agent's part stays as it is written: its defaults are applied to what is merged from all files. */
function checkedFile({ agent, ...rest }: z.output<typeof schema>, named: unknown): ConfigurationFile {
  return agent ? { ...rest, agent: agentOf(named) as JsonObject } : rest;
}

function agentOf(named: unknown): unknown {
  return Object(named).agent;
}

/** With names of other clients replaced. */
function withNames(given: unknown): unknown {
  const named = withOwnNames(given);
  const agent = agentOf(named);
  return agent === undefined ? named : { ...Object(named), agent: withOwnFields(agent) };
}

/** The JSON Schema of the file, for editors; the package contains it as `skillwright.config.schema.json`. */
export function configurationJsonSchema(): JsonObject {
  return { title: "skillwright.config.json", ...jsonSchema(schema) };
}

/** The JSON Schema of what `checkAgentConfig` accepts. */
export function agentJsonSchema(): JsonObject {
  return jsonSchema(agentConfigSchema);
}

function jsonSchema(of: z.ZodType): JsonObject {
  return z.toJSONSchema(of, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: node }) => {
      if (zodSchema === handedOnPackage) Object.assign(node, jsonSchema(skillsPackageSchema));
      // A `Secret` exists in code only.
      if (node.anyOf) node.anyOf = node.anyOf.filter((one) => Object.keys(one).length > 0);
    },
  }) as JsonObject;
}
