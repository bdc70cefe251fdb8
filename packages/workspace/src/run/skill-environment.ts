import { type CatalogSkill, type Diagnostic, type Secret, SkillError } from "@skillwright/core";
import { checkEnvironmentVariable } from "@skillwright/core/adapter";
import { isOwnVariable } from "./run-environment.js";
import type { SkillEnvironment } from "./run-rules.js";

type Variables = Record<string, string | Secret>;

/**
 * Returns the application's variables for the skill, without those that the call sets itself, blank ones and
 * those that no run may have. Each omission is reported.
 * @throws SkillError `BACKEND_FAILED` where the application's function fails.
 */
export async function skillEnvironment(
  skill: CatalogSkill | undefined,
  given: SkillEnvironment | undefined,
  caller: Readonly<Variables> = {},
  tell: (diagnostic: Diagnostic) => void,
): Promise<Variables> {
  if (!skill || !given) return {};
  const values = await Promise.resolve(skill)
    .then(given)
    .catch((error: unknown) => {
      throw SkillError.from(error, `Asking the application for the variables of "${skill.name}"`);
    });
  const kept = Object.entries(values).filter(([name, value]) => {
    if (Object.hasOwn(caller, name)) return false;
    const problem = problemOf(name, value);
    if (problem !== undefined) tell(leftOut(name, skill.name, problem));
    return problem === undefined;
  });
  return Object.fromEntries(kept);
}

function problemOf(name: string, value: unknown): string | undefined {
  if (isOwnVariable(name)) return "The workspace sets it for every run.";
  // Only the runtime may read a secret's value; it validates the value.
  if (typeof value !== "string")
    return typeof (value as Partial<Secret> | null)?.reveal === "function" ? undefined : "It is no text.";
  if (value.trim() === "") return "It is blank.";
  try {
    checkEnvironmentVariable(name, value);
    return undefined;
  } catch (error) {
    return SkillError.from(error, "Checking").message;
  }
}

function leftOut(name: string, skill: string, why: string): Diagnostic {
  return {
    code: "environment.left-out",
    severity: "warning",
    message: `The application's variable ${JSON.stringify(name.slice(0, 80))} for "${skill}" was left out. ${why}`,
    hint: "Correct it in the application's `environment`.",
  };
}
