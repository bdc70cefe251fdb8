import type { CheckedAgentConfig } from "@skillwright/config";
import {
  type SkillCatalog,
  SkillError,
  type SkillTool,
  type ToolContext,
  type Workspaces,
} from "@skillwright/core";
import {
  commandPolicy,
  equivalentTool,
  type SkillProposals,
  skillTools,
  skillToolset,
} from "@skillwright/tools";
import type { AgentDependencies } from "./agent.js";
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
  /** Where changes to skills wait. */
  readonly proposals: SkillProposals | undefined;
  readonly dependencies: Pick<
    AgentDependencies,
    | "tools"
    | "boundTools"
    | "approval"
    | "approvals"
    | "trust"
    | "sharedTrust"
    | "mustAsk"
    | "mustAskToWrite"
    | "commandPolicy"
  >;
}

export interface AgentTools {
  /** The same in every step, by name. */
  readonly tools: ReadonlyMap<string, SkillTool>;
  /** Those of one step that depend on what is loaded. */
  readonly loadedTools: (context: ToolContext) => Promise<readonly SkillTool[]>;
}

/**
 * The tools by name: the `skill_*` tools if there are skills, and those that the template names, looked up in the
 * registry first; `Read`, `Write` and `Bash` are names of workspace tools.
 * @throws SkillError `CONFIG_INVALID` for an unknown tool, listing the known ones.
 */
export function agentTools(input: AgentToolsInput): AgentTools {
  const { templateId, template, skills, withSkills, workspaces, dependencies } = input;
  const { approval, approvals, trust, sharedTrust, mustAsk, mustAskToWrite } = dependencies;
  const { tools: registry = {} } = dependencies;
  const asking = { approval, approvals, trust, sharedTrust, mustAsk, mustAskToWrite };
  const { calls, maxResultCharacters, commands, manage, ...options } = input.config;
  const policy = dependencies.commandPolicy ?? (commands && commandPolicy(commands));
  const toolset = skillToolset({
    ...{ ...options, maxResultCharacters, calls: calls === true, skills, workspaces, ...asking },
    ...{ policy, manage: manage !== false && withSkills && managing(manage, input.proposals) },
    boundTools: dependencies.boundTools,
  });
  const own = toolset.tools;
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
  return { tools: chosen, loadedTools };

  async function loadedTools(context: ToolContext): Promise<readonly SkillTool[]> {
    if (!withSkills) return [];
    const unlocked = await toolset.unlockedTools(context);
    return calls === "tools" ? [...unlocked, ...(await toolset.loadedTools(context))] : unlocked;
  }

  function choose(name: string, path: string): void {
    const tool = known.get(name) ?? known.get(workspaceTool(name));
    if (!tool) throw unknownTool(path, name, [...known.keys()]);
    chosen.set(tool.name, tool);
  }
}

/** The workspace tool that another client calls so; a template's commands belong to no skill. */
function workspaceTool(name: string): string {
  return equivalentTool(name)?.replace("skill_run", "workspace_run") ?? name;
}

/** @throws SkillError `CONFIG_INVALID` by `skillToolset` for a read-only catalogue. */
function managing(
  manage: Exclude<AgentToolsInput["config"]["manage"], false>,
  proposals: SkillProposals | undefined,
) {
  const given = manage === true ? {} : manage;
  return { ...given, ...(proposals && { proposals }) };
}

function unknownTool(path: string, given: string, names: readonly string[]): SkillError {
  const expected = `one of ${names.join(", ")}, or a tool that was passed under that name`;
  return new SkillError("CONFIG_INVALID", `${path}: given ${JSON.stringify(given)}; expected ${expected}.`, {
    details: { fields: [{ path, given, expected }] },
  });
}
