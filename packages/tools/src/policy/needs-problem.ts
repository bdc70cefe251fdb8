import { SkillError } from "@skillwright/core";
import type { DeclaredNeeds } from "./declared-needs.js";

/** The result of a check in the place where commands run. */
export interface FoundNeeds {
  /** Operating system by Node's name. */
  readonly system: string;
  readonly programs: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/** Returns one refusal for everything that is missing, with what to do; `undefined` where nothing is. */
export function needsProblem(skill: string, needs: DeclaredNeeds, found: FoundNeeds): SkillError | undefined {
  const programs = needs.programs.filter((name) => !found.programs.has(name));
  const anyProgram = needs.anyProgram.some((name) => found.programs.has(name)) ? [] : needs.anyProgram;
  const variables = needs.variables.filter((name) => !found.variables.has(name));
  const wrongSystem = needs.systems.length > 0 && !needs.systems.includes(found.system);
  const missing = [
    ...(wrongSystem
      ? [`it is made for ${needs.systems.join(", ")}, and commands run on ${found.system} here`]
      : []),
    ...(programs.length > 0 ? [`commands here do not have the program ${quoted(programs, "and")}`] : []),
    ...(anyProgram.length > 0
      ? [`commands here have none of the programs ${quoted(anyProgram, "or")}, one of which is needed`]
      : []),
    ...(variables.length > 0 ? [`the environment variable ${quoted(variables, "and")} is not set`] : []),
  ];
  if (missing.length === 0) return undefined;
  const remedies = [
    ...(variables.length > 0 ? ["Give the variable in env, or ask the user for its value."] : []),
    ...(programs.length + anyProgram.length > 0
      ? [
          "Tell the user what must be installed where commands run; `skillwright doctor` shows what is available.",
        ]
      : []),
    ...(wrongSystem ? ["Use another skill."] : []),
  ];
  return new SkillError(
    "UNSUPPORTED",
    `The skill "${skill}" cannot be used here, so nothing ran: ${missing.join("; ")}. ${remedies.join(" ")}`,
    { details: { skill, programs, anyProgram, variables, retry: variables.length > 0 } },
  );
}

function quoted(names: readonly string[], last: string): string {
  const all = names.map((name) => JSON.stringify(name));
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`;
}
