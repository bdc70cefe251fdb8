import { SkillError } from "@skillwright/core";
import { configurationInvalid } from "../checking/configuration-invalid.js";
import { type FieldProblem, fieldProblems } from "../checking/schema-issue.js";
import { packagePlaces } from "./package-places.js";
import { type CheckedSkillsPackage, skillsPackageSchema } from "./skills-package-config.js";

/** Snake-case spellings and their fields. */
const NAMES_OF_JSON: Readonly<Record<string, string>> = {
  local_path: "localPath",
  skills_dir: "skillsDir",
  commands_dir: "commandsDir",
  enabled_skills: "enabledSkills",
  enabled_commands: "enabledCommands",
};

/**
 * Validates the configuration and applies its defaults. An empty text and null, as Go writes what was not set, count as
 * absent.
 * @param at Its path in a larger configuration, for messages. Defaults to `skillsPackage`.
 * @throws SkillError `CONFIG_INVALID` with one line per wrong field; the same as data in `details.fields`.
 */
export function checkSkillsPackage(config: unknown, at = "skillsPackage"): CheckedSkillsPackage {
  const renamed = withNamesOfCode(config);
  const checked = skillsPackageSchema.safeParse(renamed);
  if (checked.success) {
    // Checks bucket URLs, which the schema does not cover.
    packagePlaces(checked.data, ".", at);
    return checked.data;
  }
  const fields = fieldProblems(checked.error.issues, renamed).map((problem) => below(at, problem));
  throw configurationInvalid("The skills package", fields);
}

/** The problems of `skillsPackage` in the configuration of an agent, with `at` before their paths. */
export function skillsPackageProblems(config: unknown, at = ""): readonly FieldProblem[] {
  const given = (config as { readonly skillsPackage?: unknown } | null | undefined)?.skillsPackage;
  if (given === undefined) return [];
  try {
    checkSkillsPackage(given, `${at}skillsPackage`);
    return [];
  } catch (error) {
    if (!SkillError.is(error, "CONFIG_INVALID")) throw error;
    return error.details["fields"] as readonly FieldProblem[];
  }
}

function withNamesOfCode(config: unknown): unknown {
  if (typeof config !== "object" || config === null || Array.isArray(config)) return config;
  return Object.fromEntries(
    Object.entries(config)
      .filter(([, value]) => value !== "" && value !== null)
      .map(([name, value]) => [NAMES_OF_JSON[name] ?? name, value]),
  );
}

function below(at: string, { path, ...rest }: FieldProblem): FieldProblem {
  return { path: path.startsWith("(") ? at : `${at}.${path}`, ...rest };
}
