import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Clock, Undo2 } from "lucide-react";
import { queueQuery } from "../api/queries.js";
import { ApiError, request } from "../api/request.js";
import { texts } from "../texts/index.js";
import { Notice } from "../ui/notice.js";
import type { QueuedMessage } from "./use-queue.js";

interface QueuedMessagesProps {
  readonly conversation: string;
  readonly queued: readonly QueuedMessage[];
  readonly onTakenBack: (text: string) => void;
}

/** Messages that wait for the end of the turn, in their order. */
export function QueuedMessages({ conversation, queued, onTakenBack }: QueuedMessagesProps) {
  const queries = useQueryClient();
  const taking = useMutation({
    mutationFn: async ({ turn, text }: QueuedMessage) => {
      await request(`/conversations/${conversation}/turns/${turn}`, { method: "DELETE" });
      onTakenBack(text);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queueQuery(conversation).queryKey }),
  });
  const hasBegun = taking.error instanceof ApiError && taking.error.status === 404;
  if (queued.length === 0 && !taking.error) return null;
  return (
    <section aria-label={texts.chat.queued} className="space-y-1.5">
      {queued.length > 0 && (
        <ol className="max-h-40 space-y-1 overflow-y-auto">
          {queued.map((one) => (
            <li
              key={one.turn}
              className="flex items-center gap-2 rounded-xl border border-dashed border-line bg-panel px-3 py-1.5 text-sm"
            >
              <Clock className="size-4 shrink-0 text-soft" aria-hidden="true" />
              <span dir="auto" className="line-clamp-2 min-w-0 flex-1 break-words">
                {one.text}
              </span>
              <span className="hidden shrink-0 text-xs text-soft sm:block">{texts.chat.afterThisTurn}</span>
              <button
                type="button"
                disabled={taking.isPending}
                onClick={() => taking.mutate(one)}
                className="flex shrink-0 items-center gap-1 rounded-lg px-2 py-1 text-xs font-medium hover:bg-tint disabled:opacity-60"
              >
                <Undo2 className="size-3.5" aria-hidden="true" />
                {texts.chat.takeBack}
              </button>
            </li>
          ))}
        </ol>
      )}
      {taking.error && (
        <Notice>{hasBegun ? texts.chat.hasBegun : texts.chat.notTakenBack(taking.error.message)}</Notice>
      )}
    </section>
  );
}
