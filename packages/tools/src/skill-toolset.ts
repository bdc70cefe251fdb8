import { type SkillCatalog, SkillError, type SkillTool, type ToolContext } from "@skillwright/core";
import { withSpan } from "@skillwright/core/adapter";
import { loadedSkillTools } from "./executable/loaded-skill-tools.js";
import { heldCatalog } from "./manage/held-catalog.js";
import { manageSettings } from "./manage/manage-options.js";
import { skillManageTool } from "./manage/skill-manage.js";
import { approvalDesk } from "./permission/ask-approval.js";
import { resultBudget, withResultBudget } from "./result-budget.js";
import { runningTools } from "./run/running-tools.js";
import { boundTools } from "./skill/bound-tools.js";
import { knowledgeTools, LOAD_CALLS } from "./skill/knowledge-tools.js";
import type { SkillToolsOptions } from "./skill-tools-options.js";
import { isRefusalOutput } from "./tool-refusal.js";

export interface SkillToolset {
  /** The tools of `skillTools`: the same in every step, so that a provider's cache keeps hitting. */
  readonly tools: readonly SkillTool[];
  /**
   * The dynamic tools: `run_<name>`, with typed parameters, for each executable skill that this agent of this session
   * has loaded. An application that shows these leaves `calls` off. None without workspaces.
   */
  loadedTools(context: ToolContext): Promise<readonly SkillTool[]>;
  /**
   * The application's `boundTools` of the skills that this agent of this session has loaded, once each, in the order of
   * the skills' names. A load unlocks nothing while its skill is missing, broken or of an untrusted source.
   */
  unlockedTools(context: ToolContext): Promise<readonly SkillTool[]>;
}

/**
 * Creates the tools over these skills, and the dynamic tools that depend on what is loaded. @throws SkillError as
 * `skillTools`.
 */
export function skillToolset(options: SkillToolsOptions): SkillToolset {
  const {
    enabled = true,
    preset = "load",
    search = false,
    calls = false,
    manage = false,
    workspaces,
  } = options;
  if (typeof options.skills?.snapshot !== "function")
    throw new SkillError(
      "CONFIG_INVALID",
      "skillTools: `skills` is not a catalogue. Give skillBox({ ... }).",
    );
  if (!Object.hasOwn(LOAD_CALLS, preset)) throw unknownPreset(preset);
  if (workspaces === undefined) checkKnowledgeOnly(options);
  const budget = resultBudget(options.maxResultCharacters);
  const bounded = (tool: SkillTool) => withCallSpan(withResultBudget(tool, budget));
  const desk = approvalDesk(options);
  const managed = manage ? managing(manage === true ? {} : manage) : undefined;
  const skills: SkillCatalog = managed?.skills ?? options.skills;
  const runs = workspaces !== undefined;
  const knowledge = [
    ...knowledgeTools(skills, { preset, search, runs, calls: calls && runs, budget }),
    ...(managed ? [managed.tool] : []),
  ];
  const running = workspaces
    ? runningTools({ ...options, budget, skills, workspaces, desk, loadCall: LOAD_CALLS[preset] })
    : undefined;
  const { ofSkills = [], ofWorkspace = [], interactive = [] } = running ?? {};
  const tools = enabled ? [...knowledge, ...ofSkills, ...ofWorkspace, ...interactive] : ofWorkspace;

  async function loadedTools(context: ToolContext): Promise<readonly SkillTool[]> {
    return enabled && running ? (await loadedSkillTools(running.gate, context)).map(bounded) : [];
  }

  async function unlockedTools(context: ToolContext): Promise<readonly SkillTool[]> {
    return enabled ? (await boundTools(skills, options.boundTools ?? {}, context)).map(bounded) : [];
  }

  return { tools: tools.map(bounded), loadedTools, unlockedTools };

  function managing(given: Parameters<typeof manageSettings>[1]) {
    const settings = manageSettings(options.skills, given);
    const held = heldCatalog(options.skills);
    return { skills: held.skills, tool: skillManageTool({ ...settings, held, desk }) };
  }
}

/** Options that only change how commands run are ignored without workspaces; these options add tools. */
function checkKnowledgeOnly(options: SkillToolsOptions): void {
  const asked = (["interactive", "calls"] as const).find((field) => options[field]);
  if (asked === undefined) return;
  throw new SkillError(
    "CONFIG_INVALID",
    `skillTools: \`${asked}\` needs \`workspaces\` to run commands in. Give workspaceManager({ ... }), or leave it out.`,
  );
}

function unknownPreset(given: unknown): SkillError {
  const known = Object.keys(LOAD_CALLS).join(", ");
  return new SkillError(
    "CONFIG_INVALID",
    `skillTools: the preset ${JSON.stringify(given)} is unknown. There are: ${known}.`,
  );
}

/** Wraps each call of the tool in a span with the tool's name, and the code of a refusal. */
function withCallSpan(tool: SkillTool): SkillTool {
  return {
    ...tool,
    execute: (input, context) =>
      withSpan("tool.call", { tool: tool.name }, async (set) => {
        const result = await tool.execute(input, context);
        const { output, isError } = result;
        const code = isError && isRefusalOutput(output) ? output.error["code"] : undefined;
        set({ isError, ...(typeof code === "string" && { "error.type": code }) });
        return result;
      }),
  };
}
