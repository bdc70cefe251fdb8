/** Settings shared by several agents. Agents never change their template. */
export interface AgentTemplate {
  /** Text before the overview of the skills. */
  readonly systemPrompt: string;
  /** Names of tools besides the skill tools: `workspace_read` and similar, or tools passed in. */
  readonly tools: readonly string[];
}

/** The template that is used if the caller passes none. */
export const ASSISTANT: AgentTemplate = {
  systemPrompt: [
    "You are a careful assistant. You work with skills: instructions and scripts that run in a workspace.",
    "Use a skill when one fits the request. When none fits and you cannot answer well without, say so and name what you have.",
    "Files of the user lie in the workspace; a message that brings one names the path that works in a skill's commands.",
    "Answer in short plain text. Name the files you made, and say so when something failed.",
  ].join("\n"),
  tools: ["workspace_list", "workspace_read", "workspace_write", "workspace_run"],
};
