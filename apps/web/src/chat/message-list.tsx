import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ChatMessage } from "../api/answers.js";
import { texts } from "../texts/index.js";
import { IconButton } from "../ui/button.js";
import { MessageView } from "./message-view.js";
import { useParsedAhead } from "./use-parsed-ahead.js";

interface MessageListProps {
  readonly conversation: string;
  readonly messages: readonly ChatMessage[];
  readonly isStreaming: boolean;
  readonly model: string | undefined;
  readonly onEdit: ((message: ChatMessage, text: string) => void) | undefined;
  readonly onRetry: (() => void) | undefined;
}

/** The messages, of which only those in view are in the document. It stays at the end while one is there. */
export function MessageList({
  conversation,
  messages,
  isStreaming,
  model,
  onEdit,
  onRetry,
}: MessageListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: messages.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => messages[index]?.id ?? index,
    estimateSize: () => 140,
    overscan: 3,
    gap: 24,
    paddingStart: 24,
    paddingEnd: 24,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: 80,
  });
  useParsedAhead(messages, rows.getVirtualItems()[0]?.index ?? 0);
  const isEmpty = messages.length === 0;
  useEffect(() => {
    if (!isEmpty) rows.scrollToEnd({});
  }, [isEmpty, rows]);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        tabIndex={0}
        role="log"
        aria-label={texts.chat.messages}
        aria-live="off"
        className="h-full overflow-y-auto"
      >
        <div className="relative mx-auto w-full max-w-3xl" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const message = messages[index];
            if (!message) return null;
            const isLast = index === messages.length - 1;
            return (
              <div
                key={key}
                data-index={index}
                data-message={message.role}
                ref={rows.measureElement}
                className="absolute inset-x-0 px-3 md:px-5"
                style={{ transform: `translateY(${start}px)` }}
              >
                <MessageView
                  conversation={conversation}
                  message={message}
                  isLast={isLast}
                  isStreaming={isLast && isStreaming}
                  model={model}
                  onEdit={onEdit}
                  onRetry={isLast && message.role === "assistant" ? onRetry : undefined}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!rows.isAtEnd(200) && messages.length > 0 && (
        <IconButton
          label={texts.chat.toNewest}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 border border-line bg-raised shadow-sm"
          onClick={() => rows.scrollToEnd({})}
        >
          <ArrowDown className="size-4" aria-hidden="true" />
        </IconButton>
      )}
    </div>
  );
}
