import type { SkillTool } from "@skillwright/core";
import type { SkillToolsOptions } from "./skill-tools-options.js";
import { skillToolset } from "./skill-toolset.js";

/**
 * Creates the tools over these skills. Preset `load`: `skill_list`, `skill_load`, `skill_select_docs`,
 * `skill_list_docs`; with workspaces also `skill_run`, `workspace_read`, `workspace_write`, `workspace_list`,
 * `workspace_run`. See the options `search`, `manage`, `calls` and `interactive` for the tools that they add.
 *
 * The tools never throw at the model and never change the state: refusals and state deltas are in the result. Approvals
 * are remembered per user and digest for the lifetime of the returned tools, and in `trust` where it is given; with
 * `sharedTrust` the approvals in it apply to every user.
 * @throws SkillError `CONFIG_INVALID` without a catalogue, for an unknown preset, for `manage` over a read-only
 * catalogue, for `interactive` and `calls` without workspaces, and for `interactive` over workspaces that cannot start
 * runs.
 */
export function skillTools(options: SkillToolsOptions): readonly SkillTool[] {
  return skillToolset(options).tools;
}
