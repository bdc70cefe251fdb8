import {
  type CallOptions,
  type JsonObject,
  type JsonValue,
  type SessionRecord,
  SkillError,
} from "@skillwright/core";
import type { StoredMessage } from "../turns/ui-message.js";

/** A message of the user that waits for the end of the turn before it. */
export interface QueuedMessage {
  /** Id of the turn that it will start. */
  readonly turn: string;
  readonly message: StoredMessage;
}

/** The messages of each conversation that wait, oldest first. They are part of its record, so that all processes see them. */
export interface MessageQueue {
  list(user: string, id: string, options?: CallOptions): Promise<readonly QueuedMessage[]>;
  /** Returns its place, from 1. @throws SkillError `LIMIT_EXCEEDED` where 20 wait. */
  add(user: string, id: string, queued: QueuedMessage): Promise<number>;
  /** Returns `false` where it does not wait any more. */
  remove(user: string, id: string, turn: string): Promise<boolean>;
  clear(user: string, id: string): Promise<void>;
}

const MAX_QUEUED = 20;

/** @param records How the record of a conversation is read, and changed where nobody else changed it meanwhile. */
export function messageQueue(records: {
  readonly read: (user: string, id: string, options?: CallOptions) => Promise<SessionRecord>;
  readonly change: (
    user: string,
    id: string,
    changed: (now: SessionRecord) => { readonly stateDelta: JsonObject },
  ) => Promise<SessionRecord>;
}): MessageQueue {
  const { read, change } = records;
  return {
    list: async (user, id, options) => queueOf(await read(user, id, options)),
    add: async (user, id, queued) => {
      const after = await change(user, id, (now) => {
        const before = queueOf(now);
        if (before.length >= MAX_QUEUED) throw full();
        return { stateDelta: { queue: stored([...before, queued]) } };
      });
      return queueOf(after).length;
    },
    remove: async (user, id, turn) => {
      let isThere = false;
      await change(user, id, (now) => {
        const before = queueOf(now);
        const left = before.filter((one) => one.turn !== turn);
        isThere = left.length < before.length;
        return { stateDelta: isThere ? { queue: stored(left) } : {} };
      });
      return isThere;
    },
    clear: async (user, id) => void (await change(user, id, () => ({ stateDelta: { queue: null } }))),
  };
}

function queueOf({ state }: SessionRecord): readonly QueuedMessage[] {
  return (state["queue"] ?? []) as unknown as readonly QueuedMessage[];
}

function stored(queue: readonly QueuedMessage[]): JsonValue {
  return JSON.parse(JSON.stringify(queue)) as JsonValue;
}

function full(): SkillError {
  const message = `${MAX_QUEUED} messages wait in this conversation, which is the most. Wait for a turn's end, or take one back.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { limit: MAX_QUEUED } });
}
