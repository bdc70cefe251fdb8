import { RotateCcw } from "lucide-react";
import { memo } from "react";
import type { ChatMessage } from "../api/answers.js";
import { ApprovalCard } from "../approvals/approval-card.js";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";
import { Markdown } from "../ui/markdown.js";
import { DiagnosticLine } from "../ui/notice.js";
import { count, durationInWords, tokensInAndOut } from "../ui/words.js";
import { CallCard } from "./call-card.js";
import { messageBlocks, messageUse } from "./message-blocks.js";
import { UserMessage } from "./user-message.js";

interface MessageViewProps {
  readonly conversation: string;
  readonly message: ChatMessage;
  readonly isLast: boolean;
  readonly isStreaming: boolean;
  readonly model: string | undefined;
  readonly onEdit: ((message: ChatMessage, text: string) => void) | undefined;
  /** Replaces the last answer. Missing for other messages, and while a turn runs. */
  readonly onRetry: (() => void) | undefined;
}

/** One message. It is rendered again only where it changes. */
export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { conversation, message, isLast, isStreaming, model, onEdit, onRetry } = props;
  if (message.role === "user") return <UserMessage message={message} onEdit={onEdit} />;
  const blocks = messageBlocks(message);
  const use = messageUse(message);
  return (
    <article aria-label={texts.chat.answer} className="space-y-3">
      {blocks.map((block, index) => {
        const key = block.kind === "call" ? block.callId : `${block.kind} ${index}`;
        if (block.kind === "text") return <Markdown key={key} text={block.text} isGrowing={isStreaming} />;
        if (block.kind === "diagnostic") return <DiagnosticLine key={key} of={block.diagnostic} />;
        if (block.kind === "approval")
          return <ApprovalCard key={key} asked={block.approval} isOpen={isLast} />;
        return (
          <CallCard key={key} conversation={conversation} call={block} isLast={isLast} isLive={isStreaming} />
        );
      })}
      {!isStreaming && (use || onRetry) && (
        <div className="flex items-center gap-2 text-xs text-soft">
          {use && (
            <p>
              {[
                model,
                count(use.steps, texts.chat.modelCalls),
                durationInWords(use.durationMs),
                use.inputTokens + use.outputTokens > 0 && tokensInAndOut(use),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
          )}
          {onRetry && (
            <Button
              look="quiet"
              title={texts.chat.tryAgainConsequence}
              className={use ? "-my-2" : "-ml-2"}
              onClick={onRetry}
            >
              <RotateCcw className="size-3.5" aria-hidden="true" />
              <span className="text-xs">{texts.chat.tryAgain}</span>
            </Button>
          )}
        </div>
      )}
    </article>
  );
});
