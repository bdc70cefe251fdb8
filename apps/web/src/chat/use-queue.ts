import { useQuery, useQueryClient } from "@tanstack/react-query";
import { generateId } from "ai";
import type { ChatMessage } from "../api/answers.js";
import { queueQuery } from "../api/queries.js";
import { request } from "../api/request.js";

/** A message that waits for the end of a turn. */
export interface QueuedMessage {
  /** The turn that it will start. */
  readonly turn: string;
  readonly text: string;
}

/** The messages that wait in the conversation, whichever tab sent them. While `isBusy`, the server is asked again and again. */
export function useQueue(id: string, { isBusy, messages }: { isBusy: boolean; messages: ChatMessage[] }) {
  const queries = useQueryClient();
  const { data } = useQuery({ ...queueQuery(id), enabled: isBusy });
  const waiting = isBusy ? (data?.queued ?? []) : [];
  // A queued message whose turn has just begun is already among the messages.
  const queued = waiting
    .filter(({ turn, message }) => turn !== data?.active && !messages.some((one) => one.id === message.id))
    .map(({ turn, message }): QueuedMessage => ({ turn, text: textOf(message.parts as readonly Part[]) }));
  return {
    queued,
    /** Sends a message that waits where the conversation is busy. @throws ApiError */
    add: async (parts: readonly object[]) => {
      const json = { message: { id: generateId(), parts }, whenBusy: "queue" };
      const answer = await request(`/conversations/${id}/turns`, { json });
      // If the earlier turn has ended meanwhile, that of this message has begun. The chat follows it like one that another tab started.
      await answer.body?.cancel();
      for (const queryKey of [queueQuery(id).queryKey, ["conversation", id]])
        await queries.invalidateQueries({ queryKey });
    },
  };
}

type Part = { readonly type: string; readonly text?: string };

function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");
}
