import type { LanguageModelV3 } from "@ai-sdk/provider";
import {
  type SessionScope,
  type SessionStore,
  SkillError,
  type SkillTool,
  type UploadedFile,
  type Workspaces,
} from "@skillwright/core";
import { openConversation } from "../loop/conversation.js";
import { runTurn } from "../loop/run-turn.js";
import type { Agent, ChatOptions, ChatResult } from "./agent.js";
import type { CheckedAgentConfig } from "./agent-config.js";
import type { AgentEventListener } from "./agent-event.js";
import type { AgentSkills } from "./agent-skills.js";
import type { AgentTemplate } from "./agent-template.js";
import { inTurn } from "./in-turn.js";
import { startTurn } from "./start-turn.js";

/** Everything an agent consists of, made and checked. */
export interface AgentParts {
  readonly config: CheckedAgentConfig;
  readonly template: AgentTemplate;
  readonly model: LanguageModelV3;
  readonly sessions: SessionStore;
  readonly session: SessionScope;
  readonly skills: AgentSkills;
  readonly workspaces: Workspaces;
  readonly tools: ReadonlyMap<string, SkillTool>;
  /** Closes what was made for this agent. */
  readonly release: () => Promise<void>;
}

export function agentOver(parts: AgentParts): Agent {
  const { config, sessions, session, skills, workspaces, tools, model } = parts;
  const serially = inTurn();
  let uploads: UploadedFile[] = [];
  const ending = new AbortController();
  let closing: Promise<void> | undefined;

  async function chat(
    message: string,
    { signal: asked, onEvent = () => undefined }: ChatOptions = {},
  ): Promise<ChatResult> {
    checkOpen();
    const signal = asked ? AbortSignal.any([asked, ending.signal]) : ending.signal;
    return serially(async () => {
      try {
        return await takeTurn(message, signal, onEvent);
      } finally {
        onEvent({ type: "turn.ended" });
      }
    });
  }

  async function takeTurn(
    message: string,
    signal: AbortSignal,
    emit: AgentEventListener,
  ): Promise<ChatResult> {
    const conversation = await openConversation(sessions, session, { signal });
    const told = uploads;
    const start = await startTurn({ ...parts, conversation, message, uploads: told, signal });
    for (const event of start.events) emit(event);
    const before = conversation.messages.length;
    const result = await runTurn({
      model,
      stream: config.modelConfig.stream,
      system: start.system,
      conversation,
      outgoing: start.outgoing,
      session,
      tools,
      maxSteps: config.maxSteps,
      signal,
      emit,
    });
    // Only what reached the history was told; else the next message tells it.
    if (conversation.messages.length > before) uploads = uploads.filter((file) => !told.includes(file));
    return {
      ...result,
      events: [...start.events, ...result.events],
      diagnostics: [...start.diagnostics, ...result.diagnostics],
    };
  }

  async function close(): Promise<void> {
    ending.abort();
    closing ??= serially(parts.release);
    return closing;
  }

  function checkOpen(): void {
    if (closing) throw new SkillError("CLOSED", "This agent is closed. Make a new one with createAgent().");
  }

  return {
    session,
    diagnostics: skills.diagnostics,
    chat,
    upload: async (name, content, options = {}) => {
      checkOpen();
      const { id } = await workspaces.forSession(session, options);
      const file = await workspaces.upload(id, name, content, options);
      uploads = [...uploads.filter(({ path }) => path !== file.path), file];
      return file;
    },
    skills: (options) => skills.catalog.snapshot(options),
    files: async (options) => {
      checkOpen();
      const { id } = await workspaces.forSession(session, options);
      return workspaces.files(id, undefined, options);
    },
    reset: async (options) => {
      checkOpen();
      await serially(() => sessions.delete(session, options));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
