import { parseSkill } from "@skillwright/core";
import { eligibility, type HostFacts, type JudgedSkill, type SkillSettings } from "../../src/index.js";

/** A skill with that OpenClaw block. */
export function judged(block: unknown, rest: Partial<JudgedSkill> = {}): JudgedSkill {
  const text = `---\nname: a\ndescription: text\nmetadata: ${JSON.stringify({ openclaw: block })}\n---\n`;
  const { skill } = parseSkill(new TextEncoder().encode(text), { directoryName: "a" });
  if (!skill) throw new Error("The skill of this test cannot be read.");
  return { name: "a", frontmatter: skill.frontmatter, ...rest };
}

export function host(
  facts: Partial<{ systems: string[]; programs: string[]; variables: Record<string, string> }> = {},
) {
  const { systems = ["linux"], programs = [], variables = {} } = facts;
  return {
    systems,
    hasProgram: (name) => programs.includes(name),
    variable: (name) => variables[name],
  } satisfies HostFacts;
}

/** Each reason as `program curl`. */
export function reasons(skill: JudgedSkill, facts: HostFacts, settings?: SkillSettings): string[] {
  return eligibility(skill, facts, settings).reasons.map(({ kind, names }) => `${kind} ${names.join(" ")}`);
}
