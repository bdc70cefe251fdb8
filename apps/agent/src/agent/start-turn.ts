import type { CallOptions, Diagnostic, SkillTool, UploadedFile } from "@skillwright/core";
import { type InjectorInput, injector } from "@skillwright/injector";
import type { ModelMessage } from "ai";
import type { Conversation } from "../loop/conversation.js";
import { skillChanges } from "../skills/skill-changes.js";
import type { CheckedAgentConfig } from "./agent-config.js";
import type { AgentEvent } from "./agent-event.js";
import type { AgentSkills } from "./agent-skills.js";
import type { AgentTemplate } from "./agent-template.js";
import { userMessage } from "./user-message.js";

/** Where the session keeps its system prompt, so that it stays as it is, byte for byte, until a reset. */
const SYSTEM_KEY = "agent:system-prompt";

export interface TurnInput extends CallOptions {
  readonly config: CheckedAgentConfig;
  readonly template: AgentTemplate;
  readonly skills: AgentSkills;
  readonly tools: ReadonlyMap<string, SkillTool>;
  readonly conversation: Conversation;
  readonly message: string;
  readonly uploads: readonly UploadedFile[];
}

export interface StartedTurn {
  /** Missing for a model without system prompts. */
  readonly system: string | undefined;
  readonly outgoing: ((messages: readonly ModelMessage[]) => readonly ModelMessage[]) | undefined;
  readonly events: readonly AgentEvent[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Adds the user's message to the conversation. The first turn writes the system prompt and keeps the snapshot it was
 * written from; a later one compares fingerprints and tells what changed in its own message.
 */
export async function startTurn(input: TurnInput): Promise<StartedTurn> {
  const { config, template, skills, conversation, uploads, signal } = input;
  const snapshot = await skills.catalog.snapshot({ signal });
  const inject = injector({ tools: [...input.tools.keys()] });
  const known = conversation.state[SYSTEM_KEY];
  const changes = conversation.snapshot && skillChanges(conversation.snapshot, snapshot);
  const words = skills.commands?.expand(input.message) ?? input.message;
  const message = userMessage(words, { changes, uploads });
  const injected: InjectorInput = { snapshot, state: conversation.state, context: { userMessage: words } };
  const system =
    typeof known === "string" ? known : inject.enhanceSystemPrompt(template.systemPrompt, injected);

  // Told once, when the text that they are about is written.
  const diagnostics = system === known ? [] : inject.overview(injected).diagnostics;

  if (system !== known) conversation.apply([{ [SYSTEM_KEY]: system }]);
  if (conversation.snapshot?.fingerprint !== snapshot.fingerprint) conversation.keep(snapshot);
  conversation.add([{ role: "user", content: message }]);
  return {
    system: config.modelConfig.systemPrompt ? system : undefined,
    outgoing: config.modelConfig.systemPrompt ? undefined : (messages) => withPreface(messages, system),
    events: [
      {
        type: "turn.started",
        message,
        skills: snapshot.skills.length,
        systemPromptCharacters: system.length,
      },
      ...diagnostics.map((diagnostic): AgentEvent => ({ type: "notice", diagnostic })),
    ],
    diagnostics,
  };
}

/** For models without a system prompt: it goes before the first message; what is stored stays the user's (AT-10). */
function withPreface(messages: readonly ModelMessage[], system: string): readonly ModelMessage[] {
  return messages.map((message, index) =>
    index === 0 && message.role === "user" && typeof message.content === "string"
      ? { ...message, content: `${system}\n\n## Request\n\n${message.content}` }
      : message,
  );
}
