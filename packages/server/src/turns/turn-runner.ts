import { randomUUID } from "node:crypto";
import { type CallOptions, type JsonValue, type SessionScope, SkillError } from "@skillwright/core";
import type { TurnKey } from "@skillwright/core/adapter";
import type { Conversation } from "../conversations/conversation.js";
import type { Conversations } from "../conversations/conversations.js";
import type { OpenAgents } from "../parts/open-agents.js";
import type { TurnQueue } from "../queues/turn-queue.js";
import { endLapsedTurn, isTold } from "./lapsed-turns.js";
import { type RunningTurn, runTurn } from "./run-turn.js";
import { INPUT, type TurnInput, toldTurn } from "./turn-input.js";
import { EVENTS } from "./turn-stream.js";
import type { TurnLease, TurnRecord, Turns } from "./turns.js";
import type { StoredMessage } from "./ui-message.js";

/** Runs turns in this process, apart from the requests that start and read them. */
export interface TurnRunner {
  /**
   * Starts a turn and returns once its message is stored.
   * @throws SkillError `CONFLICT` while the conversation has an active turn.
   */
  start(
    user: string,
    conversation: Conversation,
    message: Pick<StoredMessage, "parts"> & { readonly id?: string | undefined },
    options?: CallOptions,
  ): Promise<TurnKey>;
  /**
   * Starts the turn that goes on after approvals; one that is ending is waited for. Returns the one that another process
   * has started already.
   * @param options `answer` stores the last answer. It is called when the turn is stored, so that a process that dies after it
   * leaves a turn that another one goes on with.
   * @throws SkillError `ABORTED` when the signal fires during the wait; what `answer` throws, and nothing is started then.
   */
  resume(
    user: string,
    conversation: Pick<Conversation, "id" | "agent">,
    options: CallOptions & { readonly answer?: () => Promise<unknown> },
  ): Promise<TurnKey>;
  /**
   * Goes on with a turn whose process has died, to its end.
   * @throws SkillError `CONFLICT` while another process has the turn; `RUN_NOT_FOUND` where it is not active.
   */
  takeOver(turn: TurnRecord): Promise<void>;
  /** Resolves when this process runs no turn of the conversation. */
  idle(scope: SessionScope): Promise<void>;
  /**
   * Stops all turns of this process and waits for their ends, or leaves them to other processes. Returns the conversations
   * whose turns were left.
   */
  close(options: { readonly leave: boolean }): Promise<readonly SessionScope[]>;
}

export function turnRunner(parts: {
  readonly agents: OpenAgents;
  readonly conversations: Conversations;
  readonly turns: Turns;
  readonly queue: TurnQueue | undefined;
  readonly basePath: string;
  readonly leaseMs: number;
}): TurnRunner {
  const { conversations, turns, queue, leaseMs } = parts;
  const running = new Map<RunningTurn, SessionScope>();
  const closing = new AbortController();

  function begin(
    ...[lease, input, told]: Parameters<typeof runTurn> extends [unknown, ...infer Rest] ? Rest : never
  ) {
    const turn = runTurn({ ...parts, closing: closing.signal }, lease, input, told);
    running.set(turn, lease.scope);
    const over = turn.over.finally(() => running.delete(turn));
    return over;
  }

  async function store(
    lease: TurnLease,
    user: string,
    input: TurnInput,
    answer?: () => Promise<unknown>,
  ): Promise<void> {
    try {
      // Whoever takes over knows from then on what was asked.
      await lease.append(INPUT, [JSON.parse(JSON.stringify(input)) as JsonValue]);
      if (input.message) await conversations.add(user, lease.scope.session, input.message);
      await queue?.add({ scope: lease.scope, turn: lease.turn });
      await answer?.();
    } catch (error) {
      await lease.end();
      throw error;
    }
  }

  return {
    start: async (user, { id: session, agent }, message, options) => {
      const scope = conversations.scopeOf(user, session);
      const lease = await turns.begin({ scope, turn: randomUUID() }, { ...options, forMs: leaseMs });
      const { id = randomUUID(), parts: said } = message;
      const input: TurnInput = { agent, message: { id, role: "user", parts: said } };
      await store(lease, user, input);
      void begin(lease, input);
      return { scope, turn: lease.turn };
    },
    resume: async (user, { id: session, agent }, { answer, ...options }) => {
      const scope = conversations.scopeOf(user, session);
      for (;;) {
        const lease = await turns
          .begin({ scope, turn: randomUUID() }, { ...options, forMs: leaseMs })
          .catch((error: unknown) => {
            if (!SkillError.is(error, "CONFLICT")) throw error;
          });
        if (lease) {
          await store(lease, user, { agent }, answer);
          void begin(lease, { agent });
          return { scope, turn: lease.turn };
        }
        const active = await turns.active(scope, options);
        if (!active) continue;
        const { input } = await toldTurn(turns, active);
        if (input && !input.message) {
          await answer?.();
          return active;
        }
        // The turn that asked is storing its end.
        await turns.wait(active, EVENTS, Number.MAX_SAFE_INTEGER, options);
      }
    },
    takeOver: async (turn) => {
      const lease = await turns.claim(turn, { forMs: leaseMs });
      const told = await toldTurn(turns, turn);
      const { input } = told;
      // Nobody was told that it began.
      if (!input && told.chunks.length === 0) return await lease.end();
      if (!input || isTold(told)) return await endLapsedTurn(lease, told, parts);
      try {
        const { user, session } = turn.scope;
        const { message } = input;
        if (message && told.chunks.length === 0) await conversations.add(user, session, message);
      } catch (error) {
        if (SkillError.is(error, "SESSION_NOT_FOUND")) return await lease.end();
        throw error;
      }
      await begin(lease, input, told);
    },
    idle: async ({ user, session }) => {
      const its = [...running].filter(([, scope]) => scope.user === user && scope.session === session);
      await Promise.all(its.map(([{ over }]) => over));
    },
    close: async ({ leave }) => {
      const left = leave ? [...running.values()] : [];
      if (leave) await Promise.all([...running.keys()].map((turn) => turn.leave()));
      else closing.abort();
      await Promise.all([...running.keys()].map(({ over }) => over));
      return left;
    },
  };
}
