import { setTimeout } from "node:timers/promises";
import type { AgentEvent, ChatResult } from "@skillwright/agent";
import { type JsonValue, type RunEvent, SkillError } from "@skillwright/core";
import { countOpen, type SpanAttributes, withSpan } from "@skillwright/core/adapter";
import type { TurnLease } from "@skillwright/records";
import type { TokenUsage } from "../conversations/conversation.js";
import type { AddedMessage, Conversations } from "../conversations/conversations.js";
import { clientText } from "../http/client-text.js";
import { loggedUser, type ServerLog, type TellWork } from "../log/server-log.js";
import type { OpenAgents } from "../parts/open-agents.js";
import { chunkWriter } from "./chunk-writer.js";
import { logWriter } from "./log-writer.js";
import { isStoreFailure } from "./patient-records.js";
import { patiently } from "./patiently.js";
import type { RecordedTurn, TurnInput } from "./turn-input.js";
import { turnPaths } from "./turn-paths.js";
import { EVENTS, runLog } from "./turn-stream.js";
import type { UiChunk } from "./ui-chunks.js";
import { messageOf, textOf } from "./ui-message.js";
import { unrecordedEvents } from "./unrecorded-events.js";

const ASK_AGAIN_MS = 100;
/** Each holder of a turn may ask the model again before it fails to store the answer, as on a full disk. So the holders are limited. */
const MOST_HOLDERS = 10;

/** A turn that runs in this process. */
export interface RunningTurn {
  /** Settles when it has ended or was left, with whether a message may wait for its end. */
  readonly over: Promise<boolean>;
  /** Lets another process resume the turn. This process stores nothing of it any more, and its commands go on. */
  leave(): Promise<void>;
}

/**
 * Runs a turn to its end, or resumes one whose process has died.
 *
 * @param given `recorded` is what the dead process has stored of the turn, and `added` its message where this process has stored it.
 */
export function serveTurn(
  parts: {
    readonly agents: OpenAgents;
    readonly conversations: Conversations;
    readonly basePath: string;
    readonly leaseMs: number;
    readonly log: ServerLog;
    readonly failed: TellWork;
    /** Stops the turn. */
    readonly closing: AbortSignal;
  },
  lease: TurnLease,
  { agent: name, message }: TurnInput,
  { recorded, added }: { readonly recorded?: RecordedTurn; readonly added?: AddedMessage | undefined } = {},
): RunningTurn {
  const { agents, conversations, basePath, leaseMs, closing, log, failed } = parts;
  const toldAs = (work: string) => (error: unknown) => failed(work, error);
  const { scope } = lease;
  const beganMs = performance.now();
  const user = loggedUser(scope.user);
  const logged = { conversation: scope.session, turn: lease.turn, agent: name, user };
  const over = new AbortController();
  const stopping = new AbortController();
  const leaving = new AbortController();
  const ending = AbortSignal.any([leaving.signal, closing]);
  const logs = logWriter(lease, { signal: ending, onRefused: refused, recorded });
  const chunks = chunkWriter(turnPaths(basePath, lease), recorded?.chunks);
  let end: readonly UiChunk[] = [];
  let open = 0;
  let offered: readonly string[] = [];
  const unrecorded = new Map<string, ReturnType<typeof unrecordedEvents>>();
  const renewing = setInterval(
    () => void lease.renew().then(leaveIfLost, toldAs("Renewing a turn")),
    leaseMs / 4,
  );
  const stopAsked = stopWhenAsked();

  /** Asks again when the store fails. Each renewal tells whether the turn still belongs to this process. */
  async function stopWhenAsked(): Promise<void> {
    const { signal } = over;
    while (!signal.aborted)
      try {
        if ((await lease.stopRequested({ signal })) === "lost") return letGo();
        return stop();
      } catch (error) {
        if (!signal.aborted) failed("Asking whether a turn is to stop", error);
        // The signal ends the pause.
        await setTimeout(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
  }

  function stop(): void {
    if (!leaving.signal.aborted) stopping.abort();
  }

  /** From then on this process stores nothing of the turn. Commands go on, because they belong to the process that has the turn now. */
  function letGo(): void {
    leaving.abort();
    // Aborts a call of the model, whose answer nobody needs any more. It would also end a command, so not while a tool runs.
    if (open === 0) stopping.abort();
    clearInterval(renewing);
  }

  /** Called when the store refuses further events. */
  function refused(error: unknown): void {
    if (SkillError.is(error, "CONFLICT")) letGo();
    else stop();
  }

  function leaveIfLost(isHeld: boolean): void {
    if (!isHeld) letGo();
  }

  function onEvent(event: AgentEvent): Promise<void> | undefined {
    if (leaving.signal.aborted) return undefined;
    if (event.type === "turn.started") ({ offered } = event);
    if (event.type === "tool.call") open++;
    if (event.type === "tool.response") open--;
    const chunksWritten = logs.write(EVENTS, chunks.event(event));
    if (event.type !== "tool.progress") return chunksWritten;
    return logs.write(runLog(event.callId), newEvents(event.callId, event.event));
  }

  function newEvents(callId: string, event: RunEvent): readonly RunEvent[] {
    const pass = unrecorded.get(callId) ?? unrecordedEvents(recorded?.runs.get(callId) ?? []);
    unrecorded.set(callId, pass);
    return pass(event);
  }

  function tell(err: unknown): void {
    log.error({ ...logged, err }, "The turn failed");
  }

  async function beforeStored(): Promise<void> {
    leaving.signal.throwIfAborted();
    await logs.flush();
  }

  /** `undefined` for a turn that was to go on after approvals, where none waits any more. */
  async function result(): Promise<ChatResult | undefined> {
    const signal = AbortSignal.any([stopping.signal, closing]);
    const isRetry = (recorded?.chunks.length ?? 0) > 0;
    const options = {
      signal,
      onEvent,
      turn: { id: lease.turn, session: added?.session, isRetry, beforeStored },
    };
    return await agents.use(scope, name, async (agent) => {
      const went = recorded || !message ? await agent.resume(options) : undefined;
      return went ?? (message && (await agent.chat(textOf(message.parts as TextParts), options)));
    });
  }

  async function run(set: (more: SpanAttributes) => void): Promise<boolean> {
    let finish = "failed";
    log.info(logged, recorded ? "Turn resumed" : "Turn begun");
    try {
      if (!recorded?.chunks.length) logs.write(EVENTS, [{ type: "start", messageId: lease.turn }]);
      const went = (await result())?.finish ?? "answered";
      if (leaving.signal.aborted) return false;
      finish = went;
      end = chunks.end(went);
    } catch (error) {
      if (leaving.signal.aborted) return false;
      if (isStoreFailure(error) && !closing.aborted && lease.token < MOST_HOLDERS) return await passOn(error);
      const isStopped = stopping.signal.aborted || closing.aborted;
      if (isStopped && SkillError.is(error, "ABORTED")) {
        finish = "aborted";
        end = chunks.end("aborted");
      } else {
        tell(error);
        end = chunks.end({ errorText: clientText(SkillError.from(error, "The turn")) });
      }
    } finally {
      clearInterval(renewing);
      over.abort();
      await stopAsked;
    }
    set({ finish });
    await logs.flush();
    // The history has the answer before the turn ends, so that a client that finds no active turn misses nothing.
    const all = [...logs.chunks(), ...end];
    const answer = messageOf(all);
    const used = useOf(all);
    const add = () => conversations.addAnswer(scope.user, scope.session, answer, { used, offered });
    const now = answer.parts.length > 0 && (await patiently(add, { signal: ending }).catch(ifDeleted));
    const events = { [EVENTS]: end as unknown as readonly JsonValue[] };
    const ended = await patiently(() => lease.end(events), { signal: ending });
    if (ended && now)
      conversations.noteEnd(scope.user, scope.session, lease.turn, { message: added, answer: now });
    const ms = Math.round(performance.now() - beganMs);
    const { steps, inputTokens, outputTokens } = used;
    log.info({ ...logged, finish, ms, steps, inputTokens, outputTokens }, "Turn ended");
    // A message that was added to the queue after the answer was noted in the turn.
    return !ended || ended.hasWaiting || !now || now.queue.length > 0;
  }

  async function leave(): Promise<void> {
    letGo();
    // The next holder goes on from what is stored.
    await logs.flush().catch(() => undefined);
    await lease.release();
    log.info(logged, "Turn left to another process");
  }

  /** Lets any process continue the turn once the store of sessions works again. */
  async function passOn(error: unknown): Promise<false> {
    tell(error);
    letGo();
    await agents.forget(scope).catch(toldAs("Closing an agent"));
    await patiently(leave, { forMs: leaseMs, signal: closing }).catch(toldAs("Releasing a turn"));
    return false;
  }

  const left = new Promise<false>((resolve) =>
    leaving.signal.addEventListener("abort", () => resolve(false)),
  );
  const running = withSpan("server.turn", { conversation: scope.session, turn: lease.turn }, run).catch(
    async (error) => {
      // Another process has taken the turn over.
      if (!SkillError.is(error, "CONFLICT")) tell(error);
      await lease.end().catch(toldAs("Ending a turn"));
      return true;
    },
  );
  countOpen("skillwright.server.turns", 1);
  return {
    over: Promise.race([running, left]).finally(() => countOpen("skillwright.server.turns", -1)),
    leave,
  };
}

type TextParts = readonly { readonly type: string; readonly text?: string }[];

function useOf(chunks: readonly UiChunk[]): TokenUsage {
  const steps = chunks.flatMap((chunk) => (chunk.type === "data-step" ? [chunk.data] : []));
  const sum = (field: "inputTokens" | "outputTokens") =>
    steps.reduce((total, step) => total + (step[field] ?? 0), 0);
  return {
    turns: 1,
    steps: steps.length,
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
  };
}

/** The user deleted the conversation while its turn ended. */
export function ifDeleted(error: unknown): undefined {
  if (!SkillError.is(error, "SESSION_NOT_FOUND")) throw error;
  return undefined;
}
