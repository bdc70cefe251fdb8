import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ScriptedStep } from "./scripted-model.js";

export type Protocol = "openai" | "anthropic";

export interface RecordingProvider {
  readonly model: LanguageModelV4;
  /** The requests, one text each: tools, then the system prompt, then every message, as in the body. */
  readonly requests: string[];
}

/** A model of a real provider package whose server returns scripted steps, one a request, and repeats the last one. */
export function recordingProvider(protocol: Protocol, steps: readonly ScriptedStep[]): RecordingProvider {
  const requests: string[] = [];
  const fetch = async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
    requests.push(sentText(JSON.parse(String(init?.body))));
    const step = steps[requests.length - 1] ?? steps.at(-1);
    return Response.json(ANSWERS[protocol](step ?? {}, requests.length));
  };
  const options = { fetch: fetch as typeof globalThis.fetch, apiKey: "none" };
  const model =
    protocol === "anthropic"
      ? createAnthropic(options)("claude-sonnet-4-5")
      : createOpenAICompatible({ ...options, name: "recorded", baseURL: "http://localhost" })("recorded");
  return { model, requests };
}

/** In the order of a prefix cache, without the end of the list, which follows the last message. */
function sentText(body: { tools?: unknown; system?: unknown; messages?: readonly unknown[] }): string {
  const { tools = [], system = [], messages = [] } = body;
  return [tools, system, ...messages].map((part) => JSON.stringify(part)).join("\n");
}

const ANSWERS: Readonly<Record<Protocol, (step: ScriptedStep, number: number) => object>> = {
  openai: ({ text, calls = [] }, number) => ({
    id: `answer-${number}`,
    created: 0,
    model: "recorded",
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
        message: {
          role: "assistant",
          content: text ?? null,
          tool_calls: calls.map(({ tool, input }, index) => ({
            id: `call_${number}_${index}`,
            type: "function",
            function: { name: tool, arguments: JSON.stringify(input) },
          })),
        },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  anthropic: ({ text, calls = [] }, number) => ({
    id: `answer-${number}`,
    type: "message",
    role: "assistant",
    model: "recorded",
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    content: [
      ...(text ? [{ type: "text", text }] : []),
      ...calls.map(({ tool, input }, index) => ({
        type: "tool_use",
        id: `call_${number}_${index}`,
        name: tool,
        input,
      })),
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
};
