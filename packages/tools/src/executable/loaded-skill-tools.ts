import { SkillError, type SkillTool, type ToolContext } from "@skillwright/core";
import type { RunGate } from "../run/run-gate.js";
import { loadedSkills } from "../skill/loaded-state.js";
import type { ResolvedSkill } from "../skill/resolved-skill.js";
import { executableTool, isExecutable } from "./executable-tool.js";

const MAX_NAME = 64;

/**
 * The tools that have appeared in a conversation: one, `run_<name>`, for each executable skill that this agent of this session
 * has loaded, sorted by name. Nothing is kept here: state decides, so that sessions never see each other's (AS-29).
 */
export async function loadedSkillTools(gate: RunGate, context: ToolContext): Promise<readonly SkillTool[]> {
  const shown: ResolvedSkill[] = [];
  for (const name of loadedSkills(context)) {
    // One that went, broke or cannot be reached has no tool; a call of it by name says why.
    const skill = await gate.skill(name, context).catch(unlessAborted);
    if (skill && isExecutable(skill)) shown.push(skill);
  }
  const names = new Set<string>();
  return shown.map((skill) => executableTool(freeName(skill.name, names), skill, gate));
}

function unlessAborted(error: unknown): undefined {
  if (SkillError.is(error, "ABORTED")) throw error;
}

/** Letters, digits and `_`, at most 64; a second one of that name gets a number. */
function freeName(skill: string, names: Set<string>): string {
  const wanted = `run_${skill.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "")}`.slice(0, MAX_NAME);
  let name = wanted;
  for (let number = 2; names.has(name); number++) name = `${wanted.slice(0, MAX_NAME - 4)}_${number}`;
  names.add(name);
  return name;
}
