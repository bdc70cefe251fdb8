import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { plan } from "./plan.js";
import { readPrompt } from "./read-prompt.js";

/** Its name on screen and in messages. */
const OFFLINE_PLANNER = "offline planner";

/**
 * A model without a network: selects a skill by the words of the request and runs the skill's own example on the user's
 * file. Equal prompts get equal answers. It sees only the prompt and the tools, like any model, and cannot read or
 * write prose. For demos and tests without a key.
 */
export function offlinePlanner(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "offline",
    modelId: OFFLINE_PLANNER,
    supportedUrls: {},
    doGenerate: async (options) => {
      const content = answer(options);
      return { content, finishReason: finishReason(content), usage: USAGE, warnings: [] };
    },
    doStream: async (options) => ({ stream: ReadableStream.from(parts(answer(options))) }),
  };
}

function answer({ prompt, tools = [] }: LanguageModelV4CallOptions): LanguageModelV4Content[] {
  const { text, call } = plan(readPrompt(prompt), new Set(tools.map((tool) => tool.name)));
  const content: LanguageModelV4Content[] = [];
  if (text) content.push({ type: "text", text });
  if (call)
    content.push({
      type: "tool-call",
      toolCallId: `call-${randomUUID()}`,
      toolName: call.tool,
      input: JSON.stringify(call.input),
    });
  return content;
}

function* parts(content: readonly LanguageModelV4Content[]): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const [index, part] of content.entries()) {
    if (part.type === "text") yield* textParts(String(index), part.text);
    else if (part.type === "tool-call") {
      yield { type: "tool-input-start", id: part.toolCallId, toolName: part.toolName };
      yield { type: "tool-input-delta", id: part.toolCallId, delta: part.input };
      yield { type: "tool-input-end", id: part.toolCallId };
      yield part;
    }
  }
  yield { type: "finish", usage: USAGE, finishReason: finishReason(content) };
}

function* textParts(id: string, text: string): Generator<LanguageModelV4StreamPart> {
  yield { type: "text-start", id };
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) yield { type: "text-delta", id, delta: line };
  yield { type: "text-end", id };
}

function finishReason(content: readonly LanguageModelV4Content[]): LanguageModelV4FinishReason {
  const unified = content.some((part) => part.type === "tool-call") ? "tool-calls" : "stop";
  return { unified, raw: undefined };
}

/** Tokens are not counted, so none are reported. */
const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
