import { type JsonValue, SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";

/** One wrong field of a manifest. */
export interface FieldProblem {
  /** `author.email`. */
  readonly path: string;
  readonly given: string;
  readonly expected: string;
}

export function fieldProblem(path: string, given: JsonValue | undefined, expected: string): FieldProblem {
  const text = given === undefined ? "nothing" : JSON.stringify(given);
  return { path: shortened(path), given: shortened(text), expected };
}

function shortened(text: string): string {
  return shownLine(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}

/** Creates `CONFIG_INVALID` with a line for each wrong field; the same as data in `details.fields`. */
export function manifestInvalid(file: string, fields: readonly FieldProblem[]): SkillError {
  const lines = fields.map(({ path, given, expected }) => `- ${path}: given ${given}; expected ${expected}.`);
  const message = `${file} is not a valid manifest, so the plugin is not used. Correct:\n${lines.join("\n")}`;
  return new SkillError("CONFIG_INVALID", message, { details: { fields } });
}
