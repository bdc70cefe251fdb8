import {
  checkSkillsPackage,
  configurationInvalid,
  type FieldProblem,
  fieldProblems,
} from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import { agentConfigSchema, type CheckedAgentConfig } from "./agent-config-schema.js";

/**
 * Validates the configuration and applies its defaults.
 * @throws SkillError `CONFIG_INVALID` with one line per wrong field: its path, the given value and what is expected;
 * the same as data in `details.fields`. A value that may be a key is never repeated.
 */
export function checkAgentConfig(config: unknown): CheckedAgentConfig {
  const checked = agentConfigSchema.safeParse(config);
  const own = checked.success ? [] : fieldProblems(checked.error.issues, config).map(keysAsSecrets);
  const fields = [...own, ...packageProblems(config)];
  if (!checked.success || fields.length > 0) throw configurationInvalid("The agent's configuration", fields);
  return checked.data;
}

function keysAsSecrets(problem: FieldProblem): FieldProblem {
  return problem.path.endsWith("apiKey") ? { ...problem, expected: "text or a Secret" } : problem;
}

function packageProblems(config: unknown): readonly FieldProblem[] {
  const given = (config as { readonly skillsPackage?: unknown } | null | undefined)?.skillsPackage;
  if (given === undefined) return [];
  try {
    checkSkillsPackage(given);
    return [];
  } catch (error) {
    if (!SkillError.is(error, "CONFIG_INVALID")) throw error;
    return error.details["fields"] as readonly FieldProblem[];
  }
}
