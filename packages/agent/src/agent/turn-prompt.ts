import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CheckedAgentConfig } from "@skillwright/config";
import type { CallOptions, SkillCatalog } from "@skillwright/core";
import { injector, loadedNames } from "@skillwright/injector";
import type { ModelMessage } from "ai";
import type { OpenConversation } from "../loop/conversation.js";
import { sentMessages, systemMessagesOf } from "../loop/sent-messages.js";
import { loadedTexts } from "../skills/loaded-texts.js";

export interface TurnPromptInput extends CallOptions {
  readonly config: CheckedAgentConfig;
  readonly model: LanguageModelV4;
  readonly catalog: SkillCatalog;
  readonly conversation: OpenConversation;
  /** As stored in the session. */
  readonly system: string;
}

export interface TurnPrompt {
  /** Missing for a model without system prompts. */
  readonly system: string | undefined;
  readonly messages: readonly ModelMessage[];
}

/**
 * The request for the next step. With bodies in tool results, it extends the previous request; with bodies in the
 * system prompt, that changes with each load.
 */
export async function turnPrompt(input: TurnPromptInput): Promise<TurnPrompt> {
  const { config, model, conversation } = input;
  const { systemPrompt } = config.modelConfig;
  const system = config.loads.bodies === "system" ? await withBodies(input) : input.system;
  const messages = sentMessages(conversation.messages, {
    systemMessages: systemMessagesOf(model.provider, systemPrompt),
    preface: systemPrompt ? undefined : system,
  });
  return { system: systemPrompt ? system : undefined, messages };
}

async function withBodies({ catalog, conversation, system, signal }: TurnPromptInput): Promise<string> {
  const { state, snapshot } = conversation;
  if (!snapshot) return system;
  const texts = await loadedTexts(catalog, state, loadedNames(state), { signal });
  const { text } = injector().putBack({ snapshot, state, ...texts }, new Set());
  return text === "" ? system : `${system}\n\n${text}`;
}
