import type { CallOptions, Diagnostic, Skill, WorkspaceRun, Workspaces } from "@skillwright/core";
import { type DeclaredNeeds, declaredNeeds } from "./declared-needs.js";
import { lookCommand, readLook } from "./needs-look.js";
import { needsProblem } from "./needs-problem.js";

const LOOK_TIMEOUT_MS = 10_000;
const MAX_REMEMBERED = 1000;

export interface SkillNeeds {
  /**
   * Settles when the skill's declared needs are present, with diagnostics where that could not be determined.
   * @throws SkillError `UNSUPPORTED` naming everything that is missing; no part of the run was started then. As
   * `Workspaces.run`.
   */
  check(id: string, skill: Skill, run: WorkspaceRun, options: CallOptions): Promise<readonly Diagnostic[]>;
}

/**
 * Checks where the command will run, with its variables, in one short run of the workspace. Needs that were present are
 * remembered by workspace and digest; missing ones are checked again, since they may be installed later.
 */
export function skillNeeds(workspaces: Workspaces): SkillNeeds {
  const there = new Set<string>();

  const check: SkillNeeds["check"] = async (id, skill, { env = {}, resolved }, { signal }) => {
    const needs = declaredNeeds(skill.frontmatter);
    if (!needs) return [];
    const { name, digest } = skill;
    const given = needs.variables.filter((one) => Object.hasOwn(env, one) && env[one] !== "");
    const key = JSON.stringify([id, name, digest, given]);
    if (there.has(key)) return [];
    const look = { command: lookCommand(needs), env, skill: name, resolved, timeoutMs: LOOK_TIMEOUT_MS };
    const found = readLook(await workspaces.run(id, look, { signal }));
    if (!found) return [notLooked(name, needs)];
    const problem = needsProblem(name, needs, found);
    if (problem) throw problem;
    if (there.size >= MAX_REMEMBERED) there.clear();
    there.add(key);
    return [];
  };

  return { check };
}

function notLooked(skill: string, needs: DeclaredNeeds): Diagnostic {
  const names = [...needs.programs, ...needs.anyProgram, ...needs.variables].join(", ");
  return {
    code: "needs.not-looked",
    severity: "warning",
    message: `The needs of the skill "${skill}" (${names.slice(0, 200)}) could not be checked; the command ran anyway.`,
    hint: "If it failed, check whether they are available.",
  };
}
