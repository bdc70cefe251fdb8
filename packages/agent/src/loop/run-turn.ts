import type { LanguageModelV4 } from "@ai-sdk/provider";
import {
  type ArtifactVersion,
  type Diagnostic,
  type SessionScope,
  SkillError,
  type SkillTool,
  type StateDelta,
  type ToolContext,
} from "@skillwright/core";
import { countTokens, withSpan } from "@skillwright/core/adapter";
import type { SkillLoads } from "@skillwright/injector";
import type { ApprovalQuestion, StoredApprovals } from "@skillwright/tools";
import type { ChatFinish, ChatResult, ResumableTurn } from "../agent/agent.js";
import type { AgentEventListener } from "../agent/agent-event.js";
import type { TurnPrompt } from "../agent/turn-prompt.js";
import { type BegunTurn, turnDelta } from "./begun-turn.js";
import { callableTools, isRepeated } from "./callable-tools.js";
import { collectedEvents } from "./collected-events.js";
import type { OpenConversation } from "./conversation.js";
import { type ModelStep, type ModelStepOptions, modelStep } from "./model-step.js";
import type { AnsweredCall } from "./run-tool-calls.js";
import { forgetQuestions, stepCalls } from "./step-calls.js";
import { toolMessage } from "./tool-message.js";
import { FAILED, STOPPED, unfinishedAnswer } from "./unfinished-answer.js";
import { leftQuestions, type WaitingStep, waitingKey, withdrawn } from "./waiting-step.js";

export interface Turn {
  readonly model: LanguageModelV4;
  readonly stream: boolean;
  /** The request for the next step. */
  readonly prompt: () => Promise<TurnPrompt>;
  /** Ends with the user's message. */
  readonly conversation: OpenConversation;
  readonly loads: SkillLoads;
  /** True where the system prompt contains the bodies of loaded skills, so that the results of loading tools do not. */
  readonly bodiesInSystem: boolean;
  readonly session: SessionScope;
  /** The agent's name, where several share a session. */
  readonly agent: string | undefined;
  /** Where questions wait for a person; without it no turn parks. */
  readonly approvals: StoredApprovals | undefined;
  readonly tools: ReadonlyMap<string, SkillTool>;
  /** Further tools of one step, which depend on what is loaded. */
  readonly loadedTools: (context: ToolContext) => Promise<readonly SkillTool[]>;
  readonly maxSteps: number;
  /** Steps are stored before their tools run. */
  readonly durable: ResumableTurn | undefined;
  /** True where the process that began this turn has ended, and this one goes on. */
  readonly isSame: boolean;
  readonly signal: AbortSignal | undefined;
  readonly emit: AgentEventListener;
}

/**
 * Alternates model calls and tool calls until an answer or a reason to stop. Each complete step is committed; a step that
 * waits for a person is stored apart from the history. An answer that was stopped or failed is committed as far as it came,
 * so that the model sees what the person has seen.
 * @param from The step with which a turn goes on, stored where its calls were begun or wait.
 */
export async function runTurn(
  turn: Turn,
  from: { readonly step: number; readonly parked?: WaitingStep | undefined } = { step: 1 },
): Promise<ChatResult> {
  const { conversation, signal, durable, isSame } = turn;
  const { events, emit } = collectedEvents(turn.emit);
  const notices: Diagnostic[] = [];
  const answered: AnsweredCall[] = [];
  const callable = callableTools();
  let spoken = "";
  let said = "";
  const { step: first, parked } = from;
  if (isSame || durable?.isRetry) notice(GOES_ON);
  // The limit may have been lowered while the turn waited.
  for (let step = first; step <= Math.max(first, turn.maxSteps); step++) {
    const before = step === first ? parked : undefined;
    emit({ type: before ? "turn.resumed" : "step.started", step });
    const context = { session: turn.session, state: conversation.state, signal };
    const tools = await toolsOfStep(turn, context);
    const reply = before ? !signal?.aborted && before.reply : await modelReply(step, tools);
    if (!reply) return before ? end("aborted", step, spoken) : await stopped(step);
    if (before?.resumed && !isSame) notice(withdrawn(before));
    // Ends loads that lasted for this request only; the answer's tools still see them.
    const ended = turn.loads.afterRequest(conversation.state);
    if (reply.calls.length === 0) {
      conversation.add(reply.messages);
      conversation.apply([ended, reached(step, { ended: { finish: "answered", text: reply.text } })]);
      await conversation.commit();
      await forgetQuestions(turn);
      return end("answered", step, reply.text);
    }
    if (reply.text) spoken = reply.text;
    const { text, calls, messages } = reply;
    const parts = { toolOf: callable(tools), context, emit };
    const now = { step, reply: { text, calls, messages } };
    const { done, asked, approvals } = await stepCalls(turn, now, before, parts);
    answered.push(...done.filter((call, place) => !call.waiting && !before?.results[place]));
    if (asked.length > 0) return { ...end("waiting", step, waitingText(asked)), approvals: asked };
    conversation.add([...messages, toolMessage(done, turn.bodiesInSystem)]);
    const deltas = done.map(({ result }) => result.stateDelta);
    const forget = [...leftQuestions(conversation.state, turn.agent), ...approvals];
    conversation.apply([
      ended,
      ...deltas,
      { [waitingKey(turn.agent)]: forget.length > 0 ? { forget } : null },
      reached(step + 1),
    ]);
    const settled = turn.loads.settle(conversation.state, deltas);
    conversation.apply([settled.delta]);
    settled.diagnostics.forEach(notice);
    // Without the signal: completed work is stored, even of an aborted turn.
    await conversation.commit();
    await forgetQuestions(turn);
    if (signal?.aborted) return await stopped(step);
    if (isRepeated(done.map(({ result }) => result))) return stop("repeated-failure", step);
  }
  return stop("step-limit", turn.maxSteps);

  async function modelReply(
    step: number,
    tools: ReadonlyMap<string, SkillTool>,
  ): Promise<ModelStep | undefined> {
    const started = performance.now();
    said = "";
    const onText = (text: string) => {
      said += text;
      emit({ type: "text", text });
    };
    const reply = await answer(step, { ...turn, tools, ...(await turn.prompt()), onText });
    if (!reply) return undefined;
    const { inputTokens, outputTokens } = reply;
    emit({ type: "step.finished", step, durationMs: performance.now() - started, inputTokens, outputTokens });
    said = "";
    if (reply.cutBy) notice(answerCut(reply.cutBy));
    return reply;
  }

  async function answer(step: number, options: ModelStepOptions): Promise<ModelStep | undefined> {
    try {
      return await tracedStep(step, options);
    } catch (error) {
      const { code, message } = SkillError.from(error, "The model");
      conversation.add([unfinishedAnswer(said, FAILED)]);
      conversation.apply([reached(step, { failed: { code, message } })]);
      await conversation.commit();
      throw error;
    }
  }

  async function stopped(step: number): Promise<ChatResult> {
    const text = said || spoken;
    conversation.add([unfinishedAnswer(said, STOPPED)]);
    conversation.apply([reached(step, { ended: { finish: "aborted", text } })]);
    await conversation.commit();
    return end("aborted", step, text);
  }

  function notice(diagnostic: Diagnostic): void {
    notices.push(diagnostic);
    emit({ type: "notice", diagnostic });
  }

  async function stop(finish: "step-limit" | "repeated-failure", steps: number): Promise<ChatResult> {
    const text = finish === "step-limit" ? stepLimitText(steps) : REPEATED_FAILURE;
    emit({ type: "text", text });
    conversation.add([{ role: "assistant", content: text }]);
    conversation.apply([reached(steps, { ended: { finish, text } })]);
    await conversation.commit();
    return end(finish, steps, text);
  }

  function reached(step: number, end: Pick<BegunTurn, "ended" | "failed"> = {}): StateDelta {
    return durable ? turnDelta(turn.agent, { id: durable.id, step, ...end }) : {};
  }

  function end(finish: ChatFinish, steps: number, text: string): ChatResult {
    const artifacts: ArtifactVersion[] = answered.flatMap(({ result }) => result.artifacts);
    const diagnostics = [...answered.flatMap(({ result }) => result.diagnostics), ...notices];
    return { text: text || unanswered(finish), finish, steps, events, artifacts, diagnostics };
  }
}

/** A tool of the agent keeps its name. */
async function toolsOfStep(turn: Turn, context: ToolContext): Promise<ReadonlyMap<string, SkillTool>> {
  if (context.signal?.aborted) return turn.tools;
  const more = (await turn.loadedTools(context)).filter(({ name }) => !turn.tools.has(name));
  if (more.length === 0) return turn.tools;
  return new Map([...turn.tools, ...more.map((tool) => [tool.name, tool] as const)]);
}

async function tracedStep(step: number, options: ModelStepOptions): Promise<ModelStep | undefined> {
  return await withSpan("agent.model", { step, streamed: options.stream }, async (set) => {
    const reply = await modelStep(options);
    const { inputTokens, outputTokens, calls } = reply ?? {};
    countTokens("input", inputTokens);
    countTokens("output", outputTokens);
    set({
      ...(calls && { calls: calls.length }),
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    });
    return reply;
  });
}

const GOES_ON: Diagnostic = {
  code: "turn.taken-over",
  severity: "info",
  message:
    "The process of this turn ended. Another one goes on; an answer that was not complete begins again.",
  hint: "Nothing needs to be done.",
};

function answerCut(by: "length" | "content-filter"): Diagnostic {
  return {
    code: "model.answer-cut",
    severity: "warning",
    message:
      by === "length"
        ? "The answer is cut off, because the model's output limit was reached."
        : "The model's server withheld the answer or a part of it.",
    hint: by === "length" ? 'Say "go on", or ask for less at once.' : "Rephrase the request.",
  };
}

function unanswered(finish: ChatFinish): string {
  return finish === "aborted"
    ? "The turn was stopped before there was an answer."
    : "The model gave an empty answer.";
}

function waitingText(asked: readonly ApprovalQuestion[]): string {
  const reasons = asked.map(({ request: { reason, subject } }) => `${reason} It would do: ${subject}`);
  return `The turn waits for the approval of a person. ${reasons.join("\n")}`;
}

function stepLimitText(steps: number): string {
  return `I stopped after ${steps} steps without an answer. What was made so far is kept; say "go on", or ask for less at once.`;
}

const REPEATED_FAILURE =
  "I stopped because the same call failed three times in the same way. What was made so far is kept; the last refusal says what was wrong.";
