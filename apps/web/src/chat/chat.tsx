import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { ChatMessage } from "../api/answers.js";
import { agentsQuery, approvalsQuery, serverQuery } from "../api/queries.js";
import { requestJson } from "../api/request.js";
import { DownloadAll } from "../files/download-all.js";
import { DropZone } from "../files/drop-zone.js";
import { useUploads } from "../files/use-uploads.js";
import { texts } from "../texts/index.js";
import { Notice } from "../ui/notice.js";
import { ViewHeader } from "../ui/view-header.js";
import { count } from "../ui/words.js";
import { Composer } from "./composer.js";
import { draftOf, keepDraft } from "./draft.js";
import { type FirstMessage, takeFirstMessage, titleOf } from "./first-message.js";
import { MessageList } from "./message-list.js";
import { QueuedMessages } from "./queued-messages.js";
import { useConversation } from "./use-conversation.js";
import { useQueue } from "./use-queue.js";

interface ChatProps {
  readonly id: string;
  readonly history: ChatMessage[];
  readonly onList: () => void;
}

/** A conversation with its composer. */
export function Chat({ id, history, onList }: ChatProps) {
  const queries = useQueryClient();
  const chat = useConversation(id, history);
  const { messages, sendMessage, status, error, isBusy, conversation, stop } = chat;
  const { data: server } = useQuery(serverQuery);
  const { data: agents } = useQuery(agentsQuery);
  const uploads = useUploads(async () => id, server?.maxUploadBytes);
  const agent = agents?.find(({ name }) => name === conversation?.agent);
  const { data: questions } = useQuery(approvalsQuery);
  const isParked = questions?.some((one) => one.conversation === id) ?? false;
  const { queued, add } = useQueue(id, { isBusy: isBusy || isParked, messages });
  const [failure, setFailure] = useState<Error>();
  const [draft, setDraft] = useState(0);

  const send = useCallback(
    async (first: FirstMessage) => await sendMessage({ role: "user", parts: partsOf(first) } as never),
    [sendMessage],
  );

  useEffect(() => {
    const first = takeFirstMessage(id);
    if (first !== undefined) void send(first);
  }, [id, send]);

  const queue = async (text: string) => {
    setFailure(undefined);
    const files = uploads.taken();
    await add(partsOf({ text, files })).catch((error: Error) => {
      setFailure(error);
      putBack(text);
    });
  };

  /** Puts the text into the composer, before what is written there. */
  function putBack(text: string): void {
    keepDraft(id, [text, draftOf(id)].filter(Boolean).join("\n"));
    setDraft((before) => before + 1);
  }

  const ask = async (text: string) => {
    if (isBusy || isParked) return await queue(text);
    // A conversation that began with a file has no title yet.
    if (conversation?.title === "" && messages.length === 0) {
      await requestJson(`/conversations/${id}`, { method: "PATCH", json: { title: titleOf(text) } });
      void queries.invalidateQueries({ queryKey: ["conversations"] });
    }
    await send({ text, files: uploads.taken() });
  };

  const sendAgain = useCallback(
    ({ id: messageId }: ChatMessage, parts: readonly object[]) =>
      void sendMessage({ role: "user", parts, messageId } as never),
    [sendMessage],
  );

  const edit = useCallback(
    (message: ChatMessage, text: string) => {
      const kept = message.parts.filter(({ type }) => type !== "text");
      sendAgain(message, [{ type: "text", text }, ...kept]);
    },
    [sendAgain],
  );

  const asked = messages.findLast(({ role }) => role === "user");
  const retry = useCallback(() => asked && sendAgain(asked, asked.parts), [sendAgain, asked]);

  const tokens = conversation ? conversation.usage.inputTokens + conversation.usage.outputTokens : 0;
  const detail = [agent && `${agent.name} · ${agent.model}`, tokens > 0 && count(tokens, texts.ui.token)];
  return (
    <DropZone onFiles={uploads.add}>
      <ViewHeader
        title={conversation?.title || texts.conversations.conversation}
        detail={detail.filter(Boolean).join(" · ")}
        onList={onList}
      >
        <DownloadAll conversation={id} />
      </ViewHeader>
      <main className="flex min-h-0 flex-1 flex-col">
        <MessageList
          conversation={id}
          messages={messages}
          isStreaming={status === "streaming" || status === "submitted"}
          model={agent?.model}
          onEdit={isBusy ? undefined : edit}
          onRetry={isBusy || isParked || !asked ? undefined : retry}
        />
        <div className="mx-auto w-full max-w-3xl space-y-2 px-3 pb-3 md:px-5">
          {error && status === "error" && !isToldAsPart(messages.at(-1)) && <Notice>{error.message}</Notice>}
          {failure && <Notice>{failure.message}</Notice>}
          <QueuedMessages conversation={id} queued={queued} onTakenBack={putBack} />
          <Composer
            key={draft}
            conversation={id}
            uploads={uploads}
            isBusy={isBusy}
            isParked={isParked}
            onSend={(text) => void ask(text)}
            onStop={stop}
          />
        </div>
      </main>
    </DropZone>
  );
}

/** True if the message contains the diagnostic of its failed turn. */
function isToldAsPart(message: ChatMessage | undefined): boolean {
  return (message?.parts ?? []).some(
    (part) => part.type === "data-diagnostic" && Object(part.data).code === "turn.failed",
  );
}

function partsOf({ text, files }: FirstMessage): readonly object[] {
  return [{ type: "text", text }, ...files.map((data) => ({ type: "data-upload", data }))];
}
