import { useChat } from "@ai-sdk/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ChatMessage } from "../api/answers.js";
import { conversationQuery, messagesQuery } from "../api/queries.js";
import { requestJson } from "../api/request.js";
import { transport } from "./transport.js";

/**
 * The chat of a conversation, which follows what other tabs, devices and processes do in it: while nothing streams here,
 * it reads a turn that runs from its first event, and the history where that has changed.
 */
export function useConversation(id: string, history: ChatMessage[]) {
  const queries = useQueryClient();
  const chat = useChat<ChatMessage>({ id, messages: history, transport: transport as never, throttle: 50 });
  const { data: conversation, dataUpdatedAt } = useQuery(conversationQuery(id));
  const { status, setMessages, resumeStream } = chat;
  const isIdle = status === "ready" || status === "error";
  const turn = conversation?.turn?.id;
  const updatedAt = conversation?.updatedAt;
  const seen = useRef<string | undefined>(undefined);

  useEffect(() => {
    if (!isIdle || updatedAt === undefined) return;
    const now = `${updatedAt} ${turn}`;
    // A stream that broke while its turn runs is read again.
    if (seen.current === now && !(status === "error" && turn !== undefined)) return;
    seen.current = now;
    void (async () => {
      const messages = await requestJson<ChatMessage[]>(`/conversations/${id}/messages`);
      setMessages(messages);
      if (turn !== undefined) await resumeStream();
      await queries.invalidateQueries({ queryKey: ["artifacts", id] });
    })().catch(() => {
      // It is tried again with the next look at the conversation.
      seen.current = undefined;
    });
  }, [id, isIdle, status, turn, updatedAt, dataUpdatedAt, queries, setMessages, resumeStream]);

  useEffect(() => {
    if (status !== "ready") return;
    for (const queryKey of changedByTurns(id)) void queries.invalidateQueries({ queryKey });
  }, [status, id, queries]);

  return {
    ...chat,
    conversation,
    /** A turn runs, here or as seen from another tab. */
    isBusy: !isIdle || turn !== undefined,
    /** Stops the turn with its commands, whoever started it. */
    stop: () => transport.stop(id),
    refresh: () => queries.invalidateQueries({ queryKey: messagesQuery(id).queryKey }),
  };
}

/** The keys of the queries whose answers change when a turn ends. */
const changedByTurns = (id: string) => [
  ["conversation", id],
  ["queue", id],
  ["conversations"],
  ["artifacts", id],
  ["approvals"],
];
