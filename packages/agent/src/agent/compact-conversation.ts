import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CheckedAgentConfig } from "@skillwright/config";
import {
  type CallOptions,
  type Diagnostic,
  type SessionState,
  SkillError,
  type SkillTool,
} from "@skillwright/core";
import type { ModelMessage } from "ai";
import type { OpenConversation } from "../loop/conversation.js";
import { modelStep } from "../loop/model-step.js";
import { sentMessages, systemMessagesOf } from "../loop/sent-messages.js";

/** Set from a compaction to the next turn, which starts like one in an empty conversation. */
export const COMPACTED_KEY = "agent:compacted";

export interface Compaction extends CallOptions {
  readonly config: CheckedAgentConfig;
  readonly model: LanguageModelV4;
  readonly tools: ReadonlyMap<string, SkillTool>;
  readonly conversation: OpenConversation;
}

/**
 * The session key that stores the system prompt, so that it stays byte for byte the same until a reset or compaction.
 */
export function systemKey({ agent }: Pick<CheckedAgentConfig, "agent">): string {
  return `agent:system-prompt${agent === undefined ? "" : `:${agent}`}`;
}

/**
 * Asks the model to summarize all but the newest turns and replaces them, without storing the result yet. The request
 * is the conversation so far plus one message, so that the provider's cache is used. Returns `false` where no answer of
 * the model would be removed.
 * @throws SkillError `BACKEND_FAILED` where there is no summary.
 */
export async function compactConversation(input: Compaction): Promise<boolean> {
  const { config, model, tools, conversation, signal } = input;
  const start = keptFrom(conversation.messages, config.compaction.keepTurns);
  if (!conversation.messages.slice(0, start).some(({ role }) => role === "assistant")) return false;
  const system = systemText(conversation.state, config);
  const { stream, systemPrompt } = config.modelConfig;
  const systemMessages = systemMessagesOf(model.provider, systemPrompt);
  const answer = await modelStep({
    model,
    system: systemPrompt ? system : undefined,
    messages: sentMessages([...conversation.messages, { role: "user", content: summarise(config) }], {
      systemMessages,
      preface: systemPrompt ? undefined : system,
    }),
    tools,
    stream,
    signal,
    onText: () => undefined,
  });
  if (!answer) throw new SkillError("ABORTED", "The compaction was aborted before there was a summary.");
  if (answer.text.trim() === "") throw noSummary();
  const summary: ModelMessage = { role: "user", content: `${SUMMARY}\n\n${answer.text.trim()}` };
  conversation.replace([summary, ...conversation.messages.slice(start)]);
  conversation.apply([{ [systemKey(config)]: null, [COMPACTED_KEY]: true }]);
  return true;
}

/**
 * The same where the history is longer than `config.compaction.atCharacters`. A missing summary does not stop the turn;
 * both outcomes are reported (`history.compacted`, `history.not-compacted`).
 */
export async function compactWhenLong(input: Compaction): Promise<readonly Diagnostic[]> {
  const { atCharacters } = input.config.compaction;
  if (atCharacters === undefined || JSON.stringify(input.conversation.messages).length <= atCharacters)
    return [];
  try {
    return (await compactConversation(input)) ? [compacted(atCharacters)] : [];
  } catch (error) {
    if (!SkillError.is(error, "BACKEND_FAILED")) throw error;
    return [notCompacted(error)];
  }
}

const SUMMARY = "Summary of the conversation so far:";
function summarise({ compaction: { keepTurns } }: CheckedAgentConfig): string {
  const kept =
    keepTurns === 0 ? "" : ` The newest turns of the user (${keepTurns}) stay as they are; leave them out.`;
  return `Summarise the conversation so far for yourself, in at most 400 words: what was asked, what was done and decided, which files there are, what is open.${kept} Call no tool.`;
}

/** The index of the first message of the newest turns. */
function keptFrom(messages: readonly ModelMessage[], turns: number): number {
  const users = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  return turns === 0 ? messages.length : (users.at(-turns) ?? 0);
}

/** The stored system prompt. */
export function systemText(state: SessionState, config: CheckedAgentConfig): string | undefined {
  const text = state[systemKey(config)];
  return typeof text === "string" ? text : undefined;
}

function noSummary(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The model returned no summary, so the conversation was not changed. Try again, or reset the conversation.",
  );
}

function compacted(atCharacters: number): Diagnostic {
  return {
    code: "history.compacted",
    severity: "info",
    message: `The conversation was longer than ${atCharacters} characters; its older turns were replaced with a summary.`,
    hint: "Raise compaction.atCharacters to keep more of it.",
  };
}

function notCompacted({ message }: SkillError): Diagnostic {
  return {
    code: "history.not-compacted",
    severity: "warning",
    message: `The conversation exceeds compaction.atCharacters and could not be summarized: ${message}`,
    hint: "Compact it manually, or reset it.",
  };
}
