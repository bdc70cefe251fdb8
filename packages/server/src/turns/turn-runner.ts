import { randomUUID } from "node:crypto";
import { type CallOptions, type JsonValue, type SessionScope, SkillError } from "@skillwright/core";
import type { TurnKey, TurnLease, TurnRecord, Turns } from "@skillwright/records";
import type { Conversation } from "../conversations/conversation.js";
import type { AddedMessage, Conversations } from "../conversations/conversations.js";
import type { ServerLog, TellWork } from "../log/server-log.js";
import type { Draining } from "../parts/draining.js";
import type { OpenAgents } from "../parts/open-agents.js";
import type { TurnQueue } from "../queues/turn-queue.js";
import { endLapsedTurn } from "./lapsed-turns.js";
import { type NextTurns, nextTurns } from "./next-turns.js";
import { type RunningTurn, serveTurn } from "./serve-turn.js";
import { INPUT, recordedTurn, type TurnInput, turnInput } from "./turn-input.js";
import { EVENTS } from "./turn-stream.js";
import type { StoredMessage } from "./ui-message.js";

/** Runs turns in this process, apart from the requests that start and read them. */
export interface TurnRunner {
  /**
   * Starts a turn and returns once its message is stored. With `whenBusy: "queue"`, the message waits for the end of the
   * active turn, of one that waits for approvals, and of those that wait already; it has a `place` then, from 1.
   * @throws SkillError `CONFLICT` while the conversation has an active turn; `LIMIT_EXCEEDED` where 20 messages wait.
   */
  start(
    user: string,
    conversation: Conversation,
    message: Pick<StoredMessage, "parts"> & { readonly id?: string | undefined },
    options?: CallOptions & { readonly whenBusy?: "refuse" | "queue" | undefined },
  ): Promise<TurnKey & { readonly place?: number }>;
  /** Turns of messages that wait. */
  readonly next: NextTurns;
  /**
   * Starts the turn that goes on after approvals; one that is ending is waited for. Returns the one that another process
   * has started already.
   * @param options `answer` stores the last answer. It is called when the turn is stored, so that a process that dies after it
   * leaves a turn that another one resumes.
   * @throws SkillError `ABORTED` when the signal fires during the wait; what `answer` throws, and nothing is started then.
   */
  resume(
    user: string,
    conversation: Pick<Conversation, "id" | "agent">,
    options: CallOptions & { readonly answer?: () => Promise<unknown> },
  ): Promise<TurnKey>;
  /**
   * Goes on with a turn whose process has died, to its end.
   * @throws SkillError `CONFLICT` if another process or this one has the turn, or if this server has no agent of that name;
   * `RUN_NOT_FOUND` if the turn is not active.
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
  /** Whether a turn of the conversation waits for approvals. */
  readonly isParked: (scope: SessionScope) => Promise<boolean>;
  readonly draining: Draining;
  readonly basePath: string;
  readonly leaseMs: number;
  readonly log: ServerLog;
  readonly failed: TellWork;
}): TurnRunner {
  const { agents, conversations, turns, queue, isParked, draining, leaseMs } = parts;
  const running = new Map<RunningTurn, TurnKey>();
  const closing = new AbortController();

  function begin(
    ...[lease, input, given]: Parameters<typeof serveTurn> extends [unknown, ...infer Rest] ? Rest : never
  ) {
    const turn = serveTurn({ ...parts, closing: closing.signal }, lease, input, given);
    running.set(turn, { scope: lease.scope, turn: lease.turn });
    // A message that waits stays in its record where it cannot be started now.
    const over = turn.over
      .finally(() => running.delete(turn))
      .then(async (mayWait) => void (mayWait && (await next.start(lease.scope))))
      .catch((error: unknown) => parts.failed("Starting the turn of a message that waits", error));
    draining.running(over);
    return over;
  }

  /** Begins the turn and stores its input in the same step, for a process that takes the turn over. */
  async function lease(key: TurnKey, input: TurnInput, options: CallOptions = {}): Promise<TurnLease> {
    const events = { [INPUT]: [input as unknown as JsonValue] };
    const isFirst = conversations.isNew(key.scope.user, key.scope.session);
    return await turns.begin(key, { ...options, forMs: leaseMs, events, isFirst });
  }

  /** Stores what a turn begins with. If that fails, the turn ends. */
  async function store<Result>(lease: TurnLease, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      await lease.end();
      if (SkillError.is(error, "SESSION_NOT_FOUND")) await turns.delete(lease.scope);
      throw error;
    }
  }

  /** Stores the message of the turn. Returns `undefined`, and ends the turn, if another agent answers in the conversation. */
  async function addMessage(
    lease: TurnLease,
    agent: string,
    message: StoredMessage,
  ): Promise<AddedMessage | undefined> {
    const { scope, turn, previous } = lease;
    return await store(lease, async () => {
      // Throws if the conversation is being deleted. The deletion stops only turns that had begun before it.
      const added = await conversations.addMessage(scope.user, scope.session, message, { agent, previous });
      if (added) await queue?.add({ scope, turn });
      else await lease.end();
      return added;
    });
  }

  /** During an update, an old and a new server share the turns, and may have different agents. */
  const isServed = (agent: string) => Object.hasOwn(agents.served, agent);

  const next = nextTurns({
    ...{ conversations, turns, isParked, isServed, isDraining: draining.isDraining },
    begin: async (scope, { turn, message }, agent) => {
      const input: TurnInput = { agent, message };
      const begun = await lease({ scope, turn }, input).catch(ifActive);
      const added = begun && (await addMessage(begun, agent, message));
      return added && (() => void begin(begun, input, { added }));
    },
  });

  return {
    start: async (user, { id: session, agent: known }, given, { whenBusy = "refuse", signal } = {}) => {
      const scope = conversations.scopeOf(user, session);
      const { id = randomUUID(), parts: said } = given;
      const message: StoredMessage = { id, role: "user", parts: said };
      if (whenBusy === "queue" && (await next.isBusy(scope, { signal }))) {
        const turn = randomUUID();
        const place = await conversations.queue.add(user, session, { turn, message });
        // What it waits for may have ended meanwhile.
        await next.start(scope);
        return { scope, turn, place };
      }
      for (let agent = known; ; { agent } = await conversations.get(user, session, { signal })) {
        const key = { scope, turn: randomUUID() };
        const input: TurnInput = { agent, message };
        const begun = await lease(key, input, { signal });
        const added = await addMessage(begun, agent, message);
        // Another process has deleted the conversation, and made one with its id and another agent.
        if (!added) continue;
        void begin(begun, input, { added });
        return key;
      }
    },
    next,
    resume: async (user, { id: session, agent }, { answer, ...options }) => {
      const scope = conversations.scopeOf(user, session);
      for (let isStored = false; ; ) {
        const begun = await lease({ scope, turn: randomUUID() }, { agent }, options).catch(ifActive);
        if (begun) {
          await store(begun, async () => {
            await conversations.get(user, session);
            await queue?.add({ scope, turn: begun.turn });
            if (!isStored) await answer?.();
          });
          void begin(begun, { agent });
          return { scope, turn: begun.turn };
        }
        const active = await turns.active(scope, options);
        if (!active) continue;
        const input = await turnInput(turns, active);
        if (!input || input.message) {
          // The turn that asked is storing its end.
          await turns.ended(active, options);
          continue;
        }
        if (!isStored) await answer?.();
        isStored = true;
        // A turn that ended without an event failed to store its own answer, so nobody has continued the conversation.
        if ((await turns.next(active, EVENTS, 0, { ...options, limit: 1 })).length > 0) return active;
      }
    },
    takeOver: async (turn) => {
      // The turn only looks abandoned, for example because the clock jumped. Its next renewal comes soon.
      if ([...running.values()].some((key) => key.turn === turn.turn)) throw runsHere(turn);
      const agent = (await turnInput(turns, turn))?.agent;
      if (agent !== undefined && !isServed(agent)) throw notServed(agent);
      const claimed = await turns.claim(turn, { forMs: leaseMs });
      const recorded = await recordedTurn(turns, turn);
      const { input } = recorded;
      if (!input) return await endLapsedTurn(claimed, recorded, parts);
      try {
        const { user, session } = turn.scope;
        const { message } = input;
        const isAdded =
          !message ||
          recorded.chunks.length > 0 ||
          (await conversations.addMessage(user, session, message, { agent: input.agent }));
        if (!isAdded) return void (await claimed.end());
      } catch (error) {
        if (!SkillError.is(error, "SESSION_NOT_FOUND")) throw error;
        return void (await claimed.end());
      }
      await begin(claimed, input, { recorded });
    },
    idle: async ({ user, session }) => {
      const its = [...running].filter(([, { scope }]) => scope.user === user && scope.session === session);
      await Promise.all(its.map(([{ over }]) => over));
    },
    close: async ({ leave }) => {
      const left = leave ? [...running.values()].map(({ scope }) => scope) : [];
      if (leave) await Promise.all([...running.keys()].map((turn) => turn.leave()));
      else closing.abort();
      await Promise.all([...running.keys()].map(({ over }) => over));
      return left;
    },
  };
}

function notServed(agent: string): SkillError {
  const message = `This server has no agent "${agent}", so it leaves the turn to a server that has it.`;
  return new SkillError("CONFLICT", message, { details: { agent } });
}

function runsHere({ turn }: TurnKey): SkillError {
  const message = `The turn "${turn}" runs in this process already. Read its stream.`;
  return new SkillError("CONFLICT", message, { details: { turn } });
}

function ifActive(error: unknown): undefined {
  if (!SkillError.is(error, "CONFLICT")) throw error;
  return undefined;
}
