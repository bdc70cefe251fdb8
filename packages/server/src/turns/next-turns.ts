import { setTimeout as delay } from "node:timers/promises";
import { type CallOptions, type SessionScope, SkillError } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import type { TurnKey, Turns } from "@skillwright/records";
import type { Conversations } from "../conversations/conversations.js";
import type { QueuedMessage } from "../conversations/message-queue.js";

/** The turns of messages that wait for the end of another turn. */
export interface NextTurns {
  /**
   * Whether a message of now has to wait: a turn is active or waits for approvals, or other messages wait. The active turn then starts the
   * message at its end, also if the process that asked this dies after it has stored the message.
   */
  isBusy(scope: SessionScope, options: CallOptions): Promise<boolean>;
  /** Whether the turn's message waits. */
  isQueued(key: TurnKey): Promise<boolean>;
  /**
   * Starts the turn of the message that waits longest, where nothing is in its way. The end of each turn does this if the conversation
   * had messages that wait when the answer was stored, or if one was noted since.
   */
  start(scope: SessionScope): Promise<void>;
  /**
   * Resolves with `true` when the turn of a message that waits may have begun, with `false` where none waits.
   * @throws SkillError `ABORTED` when the signal fires first.
   */
  untilStarted(key: TurnKey, options: CallOptions): Promise<boolean>;
}

/** How often a message that waits for an approval is looked at again. */
const LOOK_AGAIN_MS = 1000;

export function nextTurns(parts: {
  readonly conversations: Pick<Conversations, "get" | "queue" | "scopeOf">;
  readonly turns: Turns;
  /** Whether a turn of the conversation waits for approvals. */
  readonly isParked: (scope: SessionScope) => Promise<boolean>;
  readonly isDraining: () => boolean;
  readonly isServed: (agent: string) => boolean;
  /** Stores the message as that of the turn and returns what runs it; `undefined` where another turn is active. */
  readonly begin: (
    scope: SessionScope,
    queued: QueuedMessage,
    agent: string,
  ) => Promise<(() => void) | undefined>;
}): NextTurns {
  const { conversations, turns, isParked, isDraining, isServed, begin } = parts;
  const waiting = ({ user, session }: SessionScope, options?: CallOptions) =>
    conversations.queue.list(user, session, options).catch(ifDeleted);

  async function start(scope: SessionScope): Promise<void> {
    const { user, session } = scope;
    for (;;) {
      if (isDraining()) return;
      const [first] = await waiting(scope);
      if (!first || (await isParked(scope))) return;
      const hasBegun = (await turns.get({ scope, turn: first.turn })) !== undefined;
      let run: (() => void) | undefined;
      if (!hasBegun) {
        const { agent } = await conversations.get(user, session);
        run = isServed(agent) ? await begin(scope, first, agent) : undefined;
        if (!run && ((await turns.noteWaiting(scope)) || !isServed(agent))) return;
        // The turn that was active has ended before it could be told of the message.
        if (!run) continue;
      }
      // Last, so that a process that dies before leaves the message to the next.
      await conversations.queue.remove(user, session, first.turn);
      if (run) return run();
    }
  }

  async function isQueued({ scope, turn }: TurnKey): Promise<boolean> {
    return (await waiting(scope)).some((one) => one.turn === turn);
  }

  return {
    isBusy: async (scope, options) => {
      if (await turns.noteWaiting(scope, options)) return true;
      return (await waiting(scope, options)).length > 0 || (await isParked(scope));
    },
    isQueued,
    start,
    untilStarted: async (key, options) => {
      if (!(await isQueued(key))) return (await turns.get(key, options)) !== undefined;
      const active = await turns.active(key.scope, options);
      if (active) await turns.ended(active, options);
      else await untilAborted(delay(LOOK_AGAIN_MS), options.signal);
      await start(key.scope);
      return true;
    },
  };
}

/** With a conversation, what waited in it is gone. */
function ifDeleted(error: unknown): readonly [] {
  if (!SkillError.is(error, "SESSION_NOT_FOUND")) throw error;
  return [];
}
