import {
  type CatalogSkill,
  type JsonObject,
  SkillError,
  type SkillTool,
  skillFields,
  type ToolContext,
} from "@skillwright/core";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { checkInput } from "../input/check-input.js";
import { jsonSchema } from "../input/json-schema.js";
import { runAnswer } from "../run/run-answer.js";
import type { RunGate } from "../run/run-gate.js";
import type { ResolvedSkill } from "../skill/resolved-skill.js";
import { toolRefusal } from "../tool-refusal.js";
import { executableRun } from "./executable-run.js";
import { returnedValues } from "./returned-values.js";
import { parametersSchema } from "./value-schema.js";

const MAX_DESCRIPTION = 300;

/** True for a skill that declares an executable entry. */
export function isExecutable({ frontmatter }: CatalogSkill): boolean {
  return skillFields(frontmatter).executable !== undefined;
}

/**
 * Creates a tool of that name for the skill, with the parameters it declares. The call is validated against the skill's
 * current version, runs like a command of `skill_run`, requires the skill to be loaded, and returns `result` in
 * addition to the answer of `skill_run`.
 */
export function executableTool(name: string, skill: ResolvedSkill, gate: RunGate): SkillTool {
  return {
    ...typed(name, skill, gate),
    async execute(input, context) {
      let found: ResolvedSkill;
      try {
        found = await gate.skill(skill.name, context, { loaded: true });
      } catch (error) {
        return toolRefusal(error, name, []);
      }
      return await typed(name, found, gate).execute(input, context);
    },
  };
}

/**
 * Calls the skill with parameters written by a model. @throws SkillError `INPUT_INVALID`, and as a command of
 * `skill_run`.
 */
export async function calledSkill(
  skill: ResolvedSkill,
  parameters: unknown,
  context: ToolContext,
  gate: RunGate,
): Promise<ToolAnswer> {
  const schema = parametersSchema(skillFields(skill.frontmatter).parameters);
  const { input, diagnostics } = checkInput(schema, jsonSchema(schema), parameters);
  const answer = await runSkill(skill, input, context, gate);
  return { ...answer, diagnostics: [...diagnostics, ...(answer.diagnostics ?? [])] };
}

function typed(name: string, skill: ResolvedSkill, gate: RunGate): SkillTool {
  return defineTool({
    name,
    description: skill.description.slice(0, MAX_DESCRIPTION).replace(/[\ud800-\udbff]$/, ""),
    parallel: false,
    repeatable: true,
    input: () => parametersSchema(skillFields(skill.frontmatter).parameters),
    run: (input, context) => runSkill(skill, input, context, gate),
  });
}

async function runSkill(
  skill: ResolvedSkill,
  parameters: Record<string, unknown>,
  context: ToolContext,
  gate: RunGate,
): Promise<ToolAnswer> {
  const { executable, returns } = skillFields(skill.frontmatter);
  if (!executable)
    throw new SkillError(
      "UNSUPPORTED",
      `The skill "${skill.name}" is not executable. Follow its instructions instead.`,
    );
  const { run, diagnostics } = executableRun(skill, executable, parameters as JsonObject);
  const result = await gate.run(run, skill, context);
  const answer = runAnswer(result, { declared: false, diagnostics });
  if (result.exitCode !== 0) return answer;
  const { result: value, problems } = returnedValues(result.stdout.text, returns);
  const output = {
    ...(value === undefined ? {} : { result: value }),
    ...(problems.length === 0 ? {} : { result_problems: problems }),
    ...(answer.output as JsonObject),
  };
  return { ...answer, output };
}
