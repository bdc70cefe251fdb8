import { randomUUID } from "node:crypto";
import type { AgentEvent, ChatResult } from "@skillwright/agent";
import { type CallOptions, type SessionScope, SkillError } from "@skillwright/core";
import type { TurnKey } from "@skillwright/core/adapter";
import type { Conversation, TokenUsage } from "../conversations/conversation.js";
import type { Conversations } from "../conversations/conversations.js";
import type { OpenAgents } from "../parts/open-agents.js";
import type { TurnQueue } from "../queues/turn-queue.js";
import { chunkWriter } from "./chunk-writer.js";
import { logWriter } from "./log-writer.js";
import { turnPaths } from "./turn-paths.js";
import { EVENTS, runLog } from "./turn-stream.js";
import type { TurnLease, Turns } from "./turns.js";
import { messageOf, type StoredMessage, textOf } from "./ui-message.js";

/** Runs turns in this process, apart from the requests that start and read them. */
export interface TurnRunner {
  /**
   * Starts a turn and returns once its first event is stored.
   * @throws SkillError `CONFLICT` while the conversation has an active turn.
   */
  start(
    user: string,
    conversation: Conversation,
    message: Pick<StoredMessage, "parts"> & { readonly id?: string | undefined },
    options?: CallOptions,
  ): Promise<TurnKey>;
  /** Resolves when this process runs no turn of the conversation. */
  idle(scope: SessionScope): Promise<void>;
  /** Stops all turns of this process and waits for their ends. */
  close(): Promise<void>;
}

export function turnRunner(parts: {
  readonly agents: OpenAgents;
  readonly conversations: Conversations;
  readonly turns: Turns;
  readonly queue: TurnQueue | undefined;
  readonly basePath: string;
}): TurnRunner {
  const { agents, conversations, turns, queue, basePath } = parts;
  const running = new Map<Promise<void>, SessionScope>();
  const closing = new AbortController();

  async function run(
    user: string,
    conversation: Conversation,
    text: string,
    lease: TurnLease,
  ): Promise<void> {
    const { scope } = lease;
    const over = new AbortController();
    const stopping = new AbortController();
    const logs = logWriter(lease, () => stopping.abort());
    const chunks = chunkWriter(turnPaths(basePath, lease));
    // The turn stops for whoever asks, in whatever process, and when this process loses the turn.
    const renewing = setInterval(() => void lease.renew().then(stopIfLost, () => undefined), LEASE_MS / 3);
    const asked = lease.stopRequested({ signal: over.signal }).then(
      () => stopping.abort(),
      () => over.signal.aborted || stopping.abort(),
    );
    const stopIfLost = (isHeld: boolean) => isHeld || stopping.abort();
    const onEvent = (event: AgentEvent) => {
      if (event.type === "tool.progress") logs.write(runLog(event.callId), [event.event]);
      logs.write(EVENTS, chunks.event(event));
    };
    const signal = AbortSignal.any([stopping.signal, closing.signal]);
    let result: ChatResult | undefined;
    try {
      logs.write(EVENTS, [{ type: "start", messageId: lease.turn }]);
      const agent = await agents.of(scope, conversation.agent);
      result = await agent.chat(text, { signal, onEvent });
      logs.write(EVENTS, chunks.end(result.finish));
    } catch (error) {
      logs.write(EVENTS, chunks.end({ errorText: SkillError.from(error, "The turn").message }));
    } finally {
      clearInterval(renewing);
      over.abort();
      await asked;
    }
    await logs.flush();
    // The history has the answer before the turn ends, so that a client that finds no active turn misses nothing.
    await conversations.add(user, conversation.id, messageOf(logs.chunks()), useOf(result)).catch(ifDeleted);
    await lease.end();
  }

  return {
    start: async (user, conversation, message, options) => {
      const scope = conversations.scopeOf(user, conversation.id);
      const lease = await turns.begin({ scope, turn: randomUUID() }, { ...options, forMs: LEASE_MS });
      try {
        const { id = randomUUID(), parts: said } = message;
        await conversations.add(user, conversation.id, { id, role: "user", parts: said });
        await queue?.add({ scope, turn: lease.turn });
      } catch (error) {
        await lease.end();
        throw error;
      }
      const text = textOf(message.parts as readonly { type: string; text?: unknown }[]);
      const turn: Promise<void> = run(user, conversation, text, lease)
        .catch(() => lease.end().catch(() => undefined))
        .finally(() => running.delete(turn));
      running.set(turn, scope);
      return { scope, turn: lease.turn };
    },
    idle: async ({ user, session }) => {
      const its = [...running].filter(([, scope]) => scope.user === user && scope.session === session);
      await Promise.all(its.map(([turn]) => turn));
    },
    close: async () => {
      closing.abort();
      await Promise.all(running.keys());
    },
  };
}

/** A process that does not renew its turns for this long has died or hangs. */
const LEASE_MS = 30_000;

function useOf(result: ChatResult | undefined): TokenUsage {
  const steps = (result?.events ?? []).filter((event) => event.type === "step.finished");
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
function ifDeleted(error: unknown): void {
  if (!SkillError.is(error, "SESSION_NOT_FOUND")) throw error;
}
