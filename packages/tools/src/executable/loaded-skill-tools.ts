import type { SkillTool, ToolContext } from "@skillwright/core";
import type { RunGate } from "../run/run-gate.js";
import { loadedSkills } from "../skill/loaded-state.js";
import { type ResolvedSkill, unlessAborted } from "../skill/resolved-skill.js";
import { executableTool, isExecutable } from "./executable-tool.js";

const MAX_NAME = 64;

/**
 * Returns the dynamic tools of a conversation: one `run_<name>` for each executable skill that this agent of this
 * session has loaded, sorted by name. No state is kept here, so that sessions never see each other's tools.
 */
export async function loadedSkillTools(gate: RunGate, context: ToolContext): Promise<readonly SkillTool[]> {
  const shown: ResolvedSkill[] = [];
  for (const name of loadedSkills(context)) {
    // A skill that is missing, broken or unreachable has no tool; a call by its name gives the reason.
    const skill = await gate.skill(name, context).catch(unlessAborted);
    if (skill && isExecutable(skill)) shown.push(skill);
  }
  const names = new Set<string>();
  return shown.map((skill) => executableTool(freeName(skill.name, names), skill, gate));
}

/** Returns a name of letters, digits and `_`, at most 64 characters; a duplicate gets a number. */
function freeName(skill: string, names: Set<string>): string {
  const wanted = `run_${skill.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "")}`.slice(0, MAX_NAME);
  let name = wanted;
  for (let number = 2; names.has(name); number++) name = `${wanted.slice(0, MAX_NAME - 4)}_${number}`;
  names.add(name);
  return name;
}
