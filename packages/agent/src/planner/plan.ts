import type { JsonObject } from "@skillwright/core";
import { exampleCommand } from "./example-command.js";
import { fillCommand } from "./fill-command.js";
import { bestSkill } from "./rank-skills.js";
import type { DoneCall, PromptView } from "./read-prompt.js";
import { report } from "./report.js";

/** The planner's next step: a call, or the answer. */
export interface Plan {
  readonly text?: string;
  readonly call?: { readonly tool: string; readonly input: JsonObject };
}

/**
 * Selects and loads a skill, runs its example on the user's file, reports the result: one step at a time, depending on
 * the calls so far.
 */
export function plan(view: PromptView, tools: ReadonlySet<string>): Plan {
  const last = view.calls.at(-1);
  if (!last) return choose(view, tools);
  if (last.isError) return { text: refused(last) };
  if (last.tool === "skill_load") return runExample(view, String(last.output), tools);
  if (last.tool === "skill_run") return { text: report(last.output) };
  return { text: `${last.tool} answered: ${JSON.stringify(last.output)}` };
}

function choose(view: PromptView, tools: ReadonlySet<string>): Plan {
  if (view.skills.length === 0 || !tools.has("skill_load"))
    return {
      text: "There are no skills, and the offline planner can only use skills. Add some (--skills DIR in the terminal).",
    };
  const endings = view.newUploads.map((path) => path.split(".").at(-1) ?? "");
  const skill = bestSkill(view.request, view.skills, endings);
  return skill ? { call: { tool: "skill_load", input: { skill: skill.name } } } : { text: noneFits(view) };
}

function runExample(view: PromptView, output: string, tools: ReadonlySet<string>): Plan {
  const [, name = "", body = ""] =
    /<loaded_skill name="([^"]*)"[^>]*>\n([\s\S]*?)\n<\/loaded_skill>/.exec(output) ?? [];
  const example = exampleCommand(body, view.request, view.uploads.length > 0);
  if (!example || !tools.has("skill_run")) return { text: knowledgeOnly(name, body) };
  const { command, missing } = fillCommand(example, view.uploads, view.request);
  if (missing !== undefined) return { text: needsFile(name, missing) };
  const outputs = { globs: ["out/**"], inline: true, save: true };
  return { call: { tool: "skill_run", input: { skill: name, command, outputs } } };
}

function refused({ tool, output }: DoneCall): string {
  const { error } = Object(output) as { error?: { message?: unknown } };
  const reason = typeof error?.message === "string" ? error.message : JSON.stringify(output);
  // The last sentence of a refusal is addressed to a model.
  return `${tool} was refused, so nothing was made. ${reason.replace(/ Do not try again[^.]*\.$/, "")}`;
}

function noneFits({ skills }: PromptView): string {
  const list = skills.map(({ name, description }) => `- ${name}: ${firstSentence(description)}`).join("\n");
  return `No skill matches the words of this request. These are the skills:\n${list}\n\nUse words of their descriptions. ${A_MODEL}`;
}

function needsFile(name: string, missing: string): string {
  return (
    `The skill ${name} matches, but it needs a file in place of ${missing} in its example. ` +
    "Give the path of an existing file in the request, or upload one (in the terminal: /upload FILE in the chat, --file FILE on the command line)."
  );
}

/** Shows the skill's instructions, since the planner cannot follow them. */
function knowledgeOnly(name: string, body: string): string {
  const sections = body.split(/^(?=## )/m).filter((section) => section.replace(/^#.*$/gm, "").trim() !== "");
  const steps = sections.find((section) =>
    /^## .*(procedure|steps|workflow|how|instructions)/i.test(section),
  );
  const shown = (steps ?? sections[0] ?? body).trim();
  return (
    `The skill ${name} matches. It contains knowledge for a language model and no command to run, so the offline planner ` +
    `cannot use it. These are its instructions:\n\n${shown.length > 2000 ? `${shown.slice(0, 2000)}...` : shown}\n\n${A_MODEL}`
  );
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text;
}

const A_MODEL =
  "A language model can do more: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or choose another provider (--model provider:name in the terminal).";
