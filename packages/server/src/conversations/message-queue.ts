import { type CallOptions, SkillError } from "@skillwright/core";
import type { StoredMessage } from "../turns/ui-message.js";
import type { storedConversations } from "./stored-conversations.js";

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
}

const MAX_QUEUED = 20;

export function messageQueue({
  get,
  change,
}: Pick<ReturnType<typeof storedConversations>, "get" | "change">): MessageQueue {
  return {
    list: async (user, id, options) => (await get(user, id, options)).queue,
    add: async (user, id, queued) => {
      const { queue } = await change(user, id, ({ queue: before }) => {
        if (before.length >= MAX_QUEUED) throw full();
        return { head: { queue: [...before, queued] } };
      });
      return queue.length;
    },
    remove: async (user, id, turn) => {
      let isRemoved = false;
      await change(user, id, ({ queue: before }) => {
        const queue = before.filter((one) => one.turn !== turn);
        isRemoved = queue.length < before.length;
        return isRemoved ? { head: { queue } } : undefined;
      });
      return isRemoved;
    },
  };
}

function full(): SkillError {
  const message = `${MAX_QUEUED} messages wait in this conversation, which is the most. Wait for a turn's end, or take one back.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { limit: MAX_QUEUED } });
}
