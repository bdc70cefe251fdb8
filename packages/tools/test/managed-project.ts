import { readText, type ToolResult } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { type SkillManageOptions, skillTools } from "@skillwright/tools";
import { callContext, caller, skillFile } from "./example-skills.js";

/** A project and a user folder; every change is active at once by default. */
export function managedProject(manage: SkillManageOptions = { review: "none" }, options: object = {}) {
  const own = {
    own: {
      "SKILL.md": skillFile("own", "", "First line.\r\nSecond, second.  \n\n"),
      "references/a.md": "alpha beta alpha",
    },
  };
  const project = memoryRepository({ skills: own });
  const user = memoryRepository({ skills: { hers: { "SKILL.md": skillFile("hers") } } });
  const skills = skillBox({ project, user });
  const call = caller(skillTools({ skills, preset: "activate", manage, ...options }));
  const act = (input: object, context = callContext()) => call("skill_manage", input, context);
  const listed = async () =>
    ((await call("skill_list", {})).output as { skills: { name: string }[] }).skills.map(({ name }) => name);
  const text = async (name: string, path = "SKILL.md") => await readText(await skills.open(name, path), 1e6);
  return { project, user, skills, call, act, listed, text };
}

export const demo = {
  name: "demo-skill",
  description: "Use when summarizing a crate: briefly",
  body: "Step 1...",
};
export const output = (result: ToolResult) => result.output as Record<string, unknown>;
