import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { OverviewSkill } from "./rank-skills.js";

export interface DoneCall {
  readonly tool: string;
  readonly output: unknown;
  readonly isError: boolean;
}

/** The information in a model's prompt, parsed. */
export interface PromptView {
  readonly skills: readonly OverviewSkill[];
  /** The user's last message, without the notes below it. */
  readonly request: string;
  /** Paths of files uploaded with the user's last message. */
  readonly newUploads: readonly string[];
  /** Those, otherwise the files of the newest message that has any. */
  readonly uploads: readonly string[];
  /** Answered calls since the user's last message. */
  readonly calls: readonly DoneCall[];
}

export function readPrompt(prompt: LanguageModelV4Prompt): PromptView {
  const users = prompt.filter((message) => message.role === "user").map(textOf);
  const last = prompt.findLastIndex((message) => message.role === "user");
  const system = prompt.filter((message) => message.role === "system").map(textOf);
  return {
    skills: skillsNow([...system, ...users.slice(0, 1)].join("\n"), users),
    request: wordsOf(users.at(-1) ?? ""),
    newUploads: uploadsIn(users.at(-1) ?? ""),
    uploads:
      users
        .toReversed()
        .map(uploadsIn)
        .find((paths) => paths.length > 0) ?? [],
    calls: prompt.slice(last + 1).flatMap(doneCalls),
  };
}

function textOf({ content }: LanguageModelV4Message): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The overview, updated with the changes in later messages. */
function skillsNow(overview: string, users: readonly string[]): OverviewSkill[] {
  const skills = new Map<string, OverviewSkill>();
  const put = (name = "", description = "") => skills.set(name, { name, description });
  for (const [, name, description] of overview.matchAll(
    /<skill>\s*<name>(.*?)<\/name>\s*(?:<description[^>]*>(.*?)<\/description>)?/gs,
  ))
    put(unescaped(name), unescaped(description));
  // The description of an untrusted source is marked, and in backticks.
  for (const [, name, mark, description = ""] of overview.matchAll(
    /^- `([^`]+)`( \(untrusted\))?: (.*?)(?: \(SKILL file: .*\))?$/gm,
  ))
    put(name, mark === undefined ? description : description.replace(/^`+ ?| ?`+$/g, ""));
  for (const text of users) {
    const change = /^- (new|gone|changed)(?: \([^)]*\))?: ([^:\n]+)(?:: (.*))?$/gm;
    for (const [, kind, name = "", description] of changesIn(text).matchAll(change))
      if (kind === "gone") skills.delete(name);
      else put(name, description);
  }
  return [...skills.values()];
}

function unescaped(text = ""): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const CHANGES = "\n\nThe skills changed since the overview was written:\n";
const UPLOADS = /\n\nUploaded files: ([^\n]*)$/;

function changesIn(message: string): string {
  const start = message.lastIndexOf(CHANGES);
  return start < 0 ? "" : message.slice(start);
}

function wordsOf(message: string): string {
  const start = message.lastIndexOf(CHANGES);
  const words = (start < 0 ? message : message.slice(0, start)).replace(UPLOADS, "");
  return words.split("\n\n## Request\n\n").at(-1) ?? "";
}

function uploadsIn(message: string): string[] {
  const [, list = ""] = UPLOADS.exec(message) ?? [];
  return [...list.matchAll(/(.+?) \([^()]*, [\d,]+ bytes\)(?:; |$)/gs)].map(([, path = ""]) => path);
}

function doneCalls(message: LanguageModelV4Message): DoneCall[] {
  if (message.role !== "tool") return [];
  const results = message.content.filter(
    (part): part is LanguageModelV4ToolResultPart => part.type === "tool-result",
  );
  return results.map(({ toolName, output }) => ({
    tool: toolName,
    output: "value" in output ? output.value : output,
    isError: output.type.startsWith("error") || output.type === "execution-denied",
  }));
}
