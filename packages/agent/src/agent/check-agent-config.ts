import {
  checkSkillsPackage,
  configurationInvalid,
  type FieldProblem,
  fieldProblems,
} from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import { agentConfigSchema, type CheckedAgentConfig } from "./agent-config-schema.js";
import { withOwnFields } from "./own-fields.js";

/**
 * Validates the configuration and applies its defaults. Aster's names in JSON (`template_id`) are accepted; an empty
 * text and null there count as absent.
 * @throws SkillError `CONFIG_INVALID` with one line per wrong field: its path, the given value and what is expected;
 * the same as data in `details.fields`. A value that may be a key is never repeated.
 */
export function checkAgentConfig(config: unknown): CheckedAgentConfig {
  const named = withOwnFields(config);
  const checked = agentConfigSchema.safeParse(named);
  const own = checked.success ? [] : fieldProblems(checked.error.issues, named).map(keysAsSecrets);
  const fields = [...own, ...packageProblems(named)];
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
