import type { ResolvedOptions } from "./injector-options.js";

/** How to use the skills: load, then documents, then run. Speaks only of the tools that are there and of the format in force. */
export function guidance({ tools, format }: ResolvedOptions): string {
  const lines = [...steps(tools, format)];
  return [intro(format), "", ...lines.map((line) => `- ${line}`)].join("\n");
}

function intro(format: ResolvedOptions["format"]): string {
  const listed = format === "names" ? "Only their names" : "Only their names and descriptions";
  return `Skills are instructions, documents and scripts for particular kinds of work. ${listed} are listed here.`;
}

function* steps(tools: ReadonlySet<string>, format: ResolvedOptions["format"]): Generator<string> {
  if (format === "names" && tools.has("skill_list")) yield "Call `skill_list` to read the descriptions.";
  if (tools.has("skill_load"))
    yield "When a request fits a skill, call `skill_load` with its name first and follow the instructions it returns. Do not guess them.";
  else if (format === "markdown" && tools.has("workspace_read"))
    yield "When a request fits a skill, read its SKILL file with `workspace_read` first and follow it.";
  else yield "When a request fits a skill, follow that skill's instructions.";
  if (tools.has("skill_select_docs"))
    yield `When the instructions point to a document, get it with \`skill_select_docs\`${tools.has("skill_list_docs") ? "; `skill_list_docs` names them all" : ""}.`;
  if (tools.has("skill_run")) {
    yield "Run a skill's commands with `skill_run`, as its instructions write them. They start in the skill's own directory; the user's files are at `inputs/<name>`, results belong in `out/`, scratch in `work/`.";
    yield "Name the files you expect in `outputs.globs`, such as `out/**`. Do not copy scripts into the command: run them.";
  }
  if (tools.has("workspace_run")) yield "`workspace_run` is for commands that belong to no skill.";
  if (tools.has("workspace_read") && tools.has("skill_run"))
    yield "Look at a file of the workspace with `workspace_read`, such as `out/report.md`.";
  yield "When no skill fits, do without.";
}
