import { type SkillCatalog, SkillError, type SkillTool, type Workspaces } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import type { AgentDependencies } from "./agent.js";
import type { CheckedAgentConfig } from "./agent-config-schema.js";
import type { AgentTemplate } from "./agent-template.js";
import { readingSkills } from "./reading-skills.js";

export interface AgentToolsInput {
  readonly templateId: string;
  readonly template: AgentTemplate;
  readonly config: CheckedAgentConfig["skillTools"];
  readonly skills: SkillCatalog;
  /** False for an agent without skills, which gets no `skill_*` tools. */
  readonly withSkills: boolean;
  readonly workspaces: Workspaces;
  readonly dependencies: Pick<AgentDependencies, "tools" | "approval" | "trust" | "sharedTrust" | "mustAsk">;
}

/**
 * The tools by name: the `skill_*` tools if there are skills, and those that the template names, looked up in the
 * registry first.
 * @throws SkillError `CONFIG_INVALID` for an unknown tool, listing the known ones.
 */
export function agentTools(input: AgentToolsInput): ReadonlyMap<string, SkillTool> {
  const { templateId, template, skills, withSkills, workspaces, dependencies } = input;
  const { approval, trust, sharedTrust, mustAsk, tools: registry = {} } = dependencies;
  const asking = { approval, trust, sharedTrust, mustAsk };
  const own = skillTools({ ...input.config, skills, workspaces, ...asking });
  const { maxResultCharacters } = input.config;
  const read = skillTools({ skills, workspaces, preset: "read", maxResultCharacters }).find(
    ({ name }) => name === "skill_read",
  );
  const reading = (tool: SkillTool) =>
    withSkills && read && tool.name === "workspace_read" ? readingSkills(tool, read) : tool;
  const known = new Map([
    ...own.map((tool) => [tool.name, reading(tool)] as const),
    ...Object.entries(registry),
  ]);
  const chosen = new Map<string, SkillTool>();
  for (const { name } of own) if (withSkills && name.startsWith("skill_")) choose(name, "");
  for (const [index, name] of template.tools.entries())
    choose(name, `templates.${templateId}.tools[${index}]`);
  return chosen;

  function choose(name: string, path: string): void {
    const tool = known.get(name);
    if (!tool) throw unknownTool(path, name, [...known.keys()]);
    chosen.set(tool.name, tool);
  }
}

function unknownTool(path: string, given: string, names: readonly string[]): SkillError {
  const expected = `one of ${names.join(", ")}, or a tool handed in under that name`;
  return new SkillError("CONFIG_INVALID", `${path}: given ${JSON.stringify(given)}; expected ${expected}.`, {
    details: { fields: [{ path, given, expected }] },
  });
}
