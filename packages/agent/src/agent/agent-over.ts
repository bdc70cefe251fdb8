import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CheckedAgentConfig } from "@skillwright/config";
import {
  type CallOptions,
  type Diagnostic,
  type RecordStore,
  type SessionScope,
  SkillError,
  type SkillTool,
  type Workspaces,
} from "@skillwright/core";
import { lenientListener, taskQueue, withSpan } from "@skillwright/core/adapter";
import { skillLoads } from "@skillwright/injector";
import { recordSessions } from "@skillwright/records";
import { begunAs, endOf } from "../loop/begun-turn.js";
import { BEGUN_AGAIN, type OpenConversation, openConversation } from "../loop/conversation.js";
import { closeWaiting, openQuestions, parkedTurn } from "../loop/parked-turn.js";
import { runCommandTool } from "../loop/run-command-tool.js";
import { runTurn, type Turn } from "../loop/run-turn.js";
import { waitingStep } from "../loop/waiting-step.js";
import type { Agent, ChatOptions, ChatResult, ResumableTurn } from "./agent.js";
import type { AgentEvent, AgentEventListener } from "./agent-event.js";
import type { AgentProfile } from "./agent-profile.js";
import type { AgentSkills } from "./agent-skills.js";
import type { AgentTemplate } from "./agent-template.js";
import { compactConversation, compactWhenLong, systemText } from "./compact-conversation.js";
import { keepQuestion } from "./keep-question.js";
import type { OwnFolder } from "./own-folder.js";
import { forgetSession, type PendingUploads } from "./pending-uploads.js";
import { startTurn } from "./start-turn.js";
import { turnPrompt } from "./turn-prompt.js";
import { agentCommands } from "./turn-words.js";
import { checkedMessage } from "./user-message.js";

/** The validated parts of an agent. */
export interface AgentParts {
  readonly config: CheckedAgentConfig;
  readonly template: AgentTemplate;
  readonly model: LanguageModelV4;
  readonly records: RecordStore;
  readonly session: SessionScope;
  readonly proposals: Agent["proposals"] | undefined;
  readonly skills: AgentSkills;
  readonly workspaces: Workspaces;
  readonly tools: ReadonlyMap<string, SkillTool>;
  readonly loadedTools: Turn["loadedTools"];
  readonly approvals: Turn["approvals"];
  readonly profile: AgentProfile | undefined;
  readonly reservedCommands: readonly string[];
  readonly uploaded: PendingUploads;
  readonly own: OwnFolder | undefined;
  readonly countTokens: ((text: string) => number) | undefined;
  /** Closes what was created for this agent. */
  readonly release: () => Promise<void>;
}

export function agentOver(parts: AgentParts): Agent {
  const { config, records, session, skills, workspaces, tools, model, uploaded } = parts;
  const { run: serially } = taskQueue();
  const loads = skillLoads(config.loads);
  let isUndone = false;
  const ending = new AbortController();
  let closing: Promise<void> | undefined;

  const chat: Agent["chat"] = (message, options = {}) =>
    traced(options, (signal, emit) => takeTurn(checkedMessage(message), signal, emit, options));

  const resume: Agent["resume"] = (options = {}) =>
    traced(options, (signal, emit) => goOn(signal, emit, options.turn));

  async function traced<R extends ChatResult | undefined>(
    { signal: asked, onEvent }: ChatOptions,
    turn: (signal: AbortSignal, emit: AgentEventListener) => Promise<R>,
  ): Promise<R> {
    checkOpen();
    const signal = untilClosed(asked);
    const failures: Diagnostic[] = [];
    const emit = lenientListener<AgentEvent>(onEvent, (failure) => failures.push(failure));
    return serially(async () => {
      try {
        return await withSpan("agent.turn", {}, async (set) => {
          const result = await turn(signal, emit);
          if (result) set({ finish: result.finish, steps: result.steps });
          return result && { ...result, diagnostics: [...result.diagnostics, ...failures] };
        });
      } finally {
        void emit({ type: "turn.ended" });
      }
    });
  }

  async function goOn(
    signal: AbortSignal,
    emit: AgentEventListener,
    durable: ResumableTurn | undefined,
  ): Promise<ChatResult | undefined> {
    const conversation = await opened(signal, durable);
    const begun = begunAs(durable, conversation.state, config.agent);
    const before = begun && endOf(begun);
    if (before) return before;
    const parked = waitingStep(conversation.state, config.agent);
    // A command of the user begins anew: only its tool is not called twice.
    const step = parked?.step ?? begun?.step;
    if (!step) return undefined;
    const open = parked && (await openQuestions(parts, parked, { signal }));
    if (open) return open;
    const { unkept, keep } = notKept(emit);
    parts.own?.beginTurn(keep);
    const system = systemText(conversation.state, config) ?? "";
    const turn = turnOver(conversation, system, signal, emit, durable);
    const result = await runTurn(turn, { step, parked });
    return { ...result, diagnostics: [...result.diagnostics, ...unkept] };
  }

  function notKept(emit: AgentEventListener) {
    const unkept: Diagnostic[] = [];
    const keep = (diagnostic: Diagnostic) => {
      unkept.push(diagnostic);
      emit({ type: "notice", diagnostic });
    };
    return { unkept, keep };
  }

  function turnOver(
    conversation: OpenConversation,
    system: string,
    signal: AbortSignal,
    emit: AgentEventListener,
    durable: ResumableTurn | undefined,
  ): Turn {
    return {
      durable,
      isSame: begunAs(durable, conversation.state, config.agent) !== undefined,
      model,
      stream: config.modelConfig.stream,
      prompt: () => turnPrompt({ config, model, catalog: skills.catalog, conversation, system, signal }),
      conversation,
      loads,
      bodiesInSystem: config.loads.bodies === "system",
      session,
      agent: config.agent,
      approvals: parts.approvals,
      tools,
      loadedTools: parts.loadedTools,
      maxSteps: config.maxSteps,
      signal,
      emit,
    };
  }

  async function takeTurn(
    message: string,
    signal: AbortSignal,
    emit: AgentEventListener,
    { context, turn: durable }: ChatOptions,
  ): Promise<ChatResult> {
    const { unkept, keep } = notKept(emit);
    /** The turn that reads its session, whatever the caller knows of it. */
    const read = durable && { ...durable, session: undefined };
    let isRead = false;
    const started = async () => {
      const conversation = await opened(signal, durable);
      const { uploads, lost, told } = await uploaded.news(conversation.state, workspaces, {
        signal,
        known: durable?.session,
      });
      isRead = true;
      const shortening = [
        ...closeWaiting(parts, loads, conversation),
        ...(await compactWhenLong({ config, model, tools, conversation, signal })),
      ];
      for (const diagnostic of shortening) emit({ type: "notice", diagnostic });
      parts.own?.beginTurn(keep);
      const input = { ...parts, loads, conversation, message, uploads, lost, isUndone, context, signal };
      return { ...(await startTurn(input)), conversation, told, shortening };
    };
    const { conversation, told, shortening, ...start } = await started().catch(async (error: unknown) => {
      // If the stores could not be read, the turn has not begun, and another process may take it.
      const how = { message, error, durable, isStopped: signal.aborted };
      if (isRead || signal.aborted) await keepQuestion(parts, loads, await opened(undefined, read), how);
      throw error;
    });
    for (const event of start.events) emit(event);
    const before = conversation.messages.length;
    const turn = turnOver(conversation, start.system, signal, emit, durable);
    if (!start.call) conversation.apply([told]);
    let result: ChatResult;
    try {
      result = start.call ? await runCommandTool(turn, start.call, told) : await runTurn(turn);
    } catch (error) {
      if (!conversation.isOutdated) throw error;
      emit({ type: "notice", diagnostic: BEGUN_AGAIN });
      const again = await takeTurn(message, signal, emit, { context, turn: read });
      return { ...again, diagnostics: [BEGUN_AGAIN, ...again.diagnostics] };
    } finally {
      // If this message did not reach the history, the next one reports the undone changes.
      if (conversation.messages.length > before) isUndone = false;
    }
    return {
      ...result,
      events: [...start.events, ...result.events],
      diagnostics: [...shortening, ...start.diagnostics, ...result.diagnostics, ...unkept],
    };
  }

  function opened(signal: AbortSignal | undefined, turn?: ResumableTurn): Promise<OpenConversation> {
    return openConversation(recordSessions(records), session, { signal, agent: config.agent, turn });
  }

  function untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  }

  async function compact({ signal: asked }: CallOptions = {}): Promise<boolean> {
    checkOpen();
    const signal = untilClosed(asked);
    return serially(async () => {
      const conversation = await opened(signal);
      if (waitingStep(conversation.state, config.agent)) throw parkedTurn();
      const isShorter = await compactConversation({ config, model, tools, conversation, signal });
      if (isShorter) await conversation.commit({ signal });
      return isShorter;
    });
  }

  async function unload(names: readonly string[], { signal: asked }: CallOptions = {}): Promise<void> {
    checkOpen();
    const signal = untilClosed(asked);
    await serially(async () => {
      const conversation = await opened(signal);
      conversation.apply([loads.unload(conversation.state, names)]);
      await conversation.commit({ signal });
    });
  }

  async function close(): Promise<void> {
    ending.abort();
    closing ??= serially(parts.release);
    return closing;
  }

  function checkOpen(): void {
    if (closing) throw new SkillError("CLOSED", "This agent is closed. Create a new one with createAgent().");
  }

  function hostFolder({ folder }: OwnFolder): NonNullable<Agent["hostFolder"]> {
    return {
      path: folder.path,
      diff: async (options) => {
        checkOpen();
        return await serially(() => folder.diff(options));
      },
      undo: async (options) => {
        checkOpen();
        const undone = await serially(() => folder.undo(options));
        isUndone ||= undone !== undefined;
        return undone;
      },
    };
  }

  return {
    session,
    diagnostics: skills.diagnostics,
    ...(parts.proposals && { proposals: parts.proposals }),
    ...(parts.own && { hostFolder: hostFolder(parts.own) }),
    chat,
    resume,
    upload: async (name, content, options = {}) => {
      checkOpen();
      const workspace = await workspaces.forSession(session, options);
      const file = await workspaces.upload(workspace.id, name, content, options);
      await uploaded.add(file, workspace, { signal: options.signal });
      return file;
    },
    skills: (options) => skills.catalog.snapshot(options),
    files: async (options) => {
      checkOpen();
      const { id } = await workspaces.forSession(session, options);
      return workspaces.files(id, undefined, options);
    },
    commands: async (options) => {
      const snapshot = await skills.catalog.snapshot(options);
      return agentCommands(skills.commandFiles, snapshot, parts.reservedCommands).commands;
    },
    unload,
    compact,
    reset: async (options) => {
      checkOpen();
      await serially(async () => {
        await forgetSession(records, session, options);
        await parts.approvals?.forget(session, undefined, options);
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
