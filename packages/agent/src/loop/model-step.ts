import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { SkillTool } from "@skillwright/core";
import { generateText, type ModelMessage, streamText } from "ai";
import { acceptedMessages, wellFormed } from "./accepted-messages.js";
import { modelFailure } from "./model-failure.js";
import { withOwnIds } from "./own-call-ids.js";
import { toolDeclarations } from "./tool-declarations.js";

export interface ModelStepOptions {
  readonly model: LanguageModelV4;
  readonly system: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools: ReadonlyMap<string, SkillTool>;
  readonly stream: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onText: (text: string) => void;
}

export interface ModelCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Why the call cannot be executed, where the model wrote invalid JSON or named no tool. */
  readonly problem?: string;
}

export interface ModelStep {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** The assistant's messages, for the history. */
  readonly messages: readonly ModelMessage[];
  /** Set where the answer is incomplete, or the server withheld it. */
  readonly cutBy: "length" | "content-filter" | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/**
 * Makes one model call without running tools. `undefined` when it was aborted.
 * @throws SkillError `BACKEND_FAILED` with the remedy.
 */
export async function modelStep(options: ModelStepOptions): Promise<ModelStep | undefined> {
  if (options.signal?.aborted) return undefined;
  try {
    return await (options.stream ? streamed(options) : whole(options));
  } catch (error) {
    if (options.signal?.aborted) return undefined;
    throw modelFailure(error, `${options.model.provider}:${options.model.modelId}`);
  }
}

async function streamed(options: ModelStepOptions): Promise<ModelStep | undefined> {
  const result = streamText({ ...request(options), onError: () => undefined });
  const calls: ModelCall[] = [];
  let text = "";
  let half = "";
  const say = (piece: string) => {
    if (piece === "") return;
    text += piece;
    options.onText(piece);
  };
  for await (const part of result.stream) {
    if (part.type === "text-delta") {
      const said = half + part.text;
      // A server may split a surrogate pair between two pieces.
      half = /[\ud800-\udbff]$/.exec(said)?.[0] ?? "";
      say(said.slice(0, said.length - half.length).toWellFormed());
      continue;
    }
    say(half.toWellFormed());
    half = "";
    if (part.type === "tool-call") calls.push(modelCall(part));
    else if (part.type === "error") throw part.error;
    else if (part.type === "abort") return undefined;
  }
  const [messages, usage, finishReason] = await Promise.all([
    result.responseMessages,
    result.usage,
    result.finishReason,
  ]);
  return finished({ text, messages, usage, finishReason }, calls);
}

async function whole(options: ModelStepOptions): Promise<ModelStep> {
  const result = await generateText(request(options));
  const { usage, finishReason, responseMessages } = result;
  const text = result.text.toWellFormed();
  if (text) options.onText(text);
  return finished({ text, messages: responseMessages, usage, finishReason }, result.toolCalls.map(modelCall));
}

function request({ model, system, messages, tools, signal }: ModelStepOptions) {
  return {
    model: withOwnIds(model, messages),
    ...(system === undefined ? {} : { instructions: system.toWellFormed() }),
    messages: acceptedMessages(messages, model),
    // System messages in the history are the agent's own: its profile and bodies of skills. Messages of users and tools
    // never are.
    allowSystemInMessages: true,
    tools: toolDeclarations(tools.values()),
    ...(signal ? { abortSignal: signal } : {}),
  };
}

function modelCall(part: {
  toolCallId: string;
  toolName: string;
  input: unknown;
  invalid?: boolean | undefined;
  error?: unknown;
}): ModelCall {
  const { toolCallId: id, toolName: tool, input } = wellFormed(part);
  if (!part.invalid) return { id, tool, input };
  return {
    id,
    tool,
    input,
    problem: part.error instanceof Error ? part.error.message.toWellFormed() : String(part.error),
  };
}

function finished(
  answer: {
    text: string;
    messages: readonly ModelMessage[];
    usage: { inputTokens: number | undefined; outputTokens: number | undefined };
    finishReason: string;
  },
  calls: readonly ModelCall[],
): ModelStep {
  const { text, finishReason } = answer;
  // The SDK's answer to an invalid call is left out: the loop answers every call itself.
  const messages = wellFormed(answer.messages.filter((message) => message.role === "assistant"));
  const cutBy = finishReason === "length" || finishReason === "content-filter" ? finishReason : undefined;
  const { inputTokens, outputTokens } = answer.usage;
  return { text, calls, messages, cutBy, inputTokens, outputTokens };
}
