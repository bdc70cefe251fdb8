import { configurationInvalid } from "../checking/configuration-invalid.js";
import { fieldProblems } from "../checking/schema-issue.js";
import { skillsPackageProblems } from "../package/check-skills-package.js";
import { agentConfigSchema, type CheckedAgentConfig } from "./agent-config-schema.js";
import { withOwnFields } from "./own-fields.js";

/**
 * Validates the configuration of an agent and applies its defaults. Aster's names in JSON (`template_id`) are accepted;
 * an empty text and null there count as absent.
 * @throws SkillError `CONFIG_INVALID` with one line per wrong field: its path, the given value and what is expected;
 * the same as data in `details.fields`. A value that may be a key is never repeated.
 */
export function checkAgentConfig(config: unknown): CheckedAgentConfig {
  const named = withOwnFields(config);
  const checked = agentConfigSchema.safeParse(named);
  const own = checked.success ? [] : fieldProblems(checked.error.issues, named);
  const fields = [...own, ...skillsPackageProblems(named)];
  if (!checked.success || fields.length > 0) throw configurationInvalid("The agent's configuration", fields);
  return checked.data;
}
