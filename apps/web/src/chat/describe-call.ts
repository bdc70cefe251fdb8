import { texts } from "../texts/index.js";
import type { CallBlock } from "./message-blocks.js";

/** What a call does, in words. */
export interface CallFacts {
  readonly title: string;
  readonly command?: string | undefined;
  readonly skill?: string | undefined;
}

export function describeCall({ tool, input, run }: Pick<CallBlock, "tool" | "input" | "run">): CallFacts {
  const given = (typeof input === "object" && input !== null ? input : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof given[name] === "string" ? (given[name] as string) : undefined);
  const skill = text("skill") ?? text("name");
  const command = run?.command ?? text("command");
  if (tool === "skill_run")
    return {
      title: skill === undefined ? texts.calls.runWithSome : texts.calls.runWith(skill),
      command,
      skill,
    };
  if (tool === "workspace_run") return { title: texts.calls.runInWorkspace, command };
  if (tool === "skill_load" || tool === "skill_activate")
    return { title: skill ? texts.calls.loadSkill(skill) : texts.calls.loadSome, skill };
  const subject = text("path") ?? text("query") ?? text("doc") ?? skill;
  return { title: subject === undefined ? wordsOf(tool) : `${wordsOf(tool)}: ${subject}`, command, skill };
}

function wordsOf(tool: string): string {
  const words = tool.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
