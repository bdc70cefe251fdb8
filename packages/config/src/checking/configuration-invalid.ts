import { SkillError } from "@skillwright/core";
import type { FieldProblem } from "./schema-issue.js";

/**
 * `CONFIG_INVALID` with one line per wrong field: its path, the given value and what is expected. The same as data in
 * `details.fields`.
 * @param what Start of the message: `The agent's configuration`.
 */
export function configurationInvalid(what: string, fields: readonly FieldProblem[]): SkillError {
  const lines = fields.map(({ path, given, expected }) => `- ${path}: given ${given}; expected ${expected}.`);
  return new SkillError("CONFIG_INVALID", `${what} is not valid:\n${lines.join("\n")}`, {
    details: { fields },
  });
}
