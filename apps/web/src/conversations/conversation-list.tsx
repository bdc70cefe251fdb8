import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { conversationPagesQuery } from "../api/queries.js";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { SearchField } from "../ui/search-field.js";
import { Skeleton } from "../ui/skeleton.js";
import { ConversationRow } from "./conversation-row.js";

interface ConversationListProps {
  readonly open: string | undefined;
  readonly onOpen: () => void;
}

/** The user's conversations, page by page, the last changed one first. The search covers all titles, not only the loaded pages. */
export function ConversationList({ open, onOpen }: ConversationListProps) {
  const [wanted, setWanted] = useState("");
  const { data, error, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage } = useInfiniteQuery(
    conversationPagesQuery(wanted.slice(0, 200)),
  );
  // A conversation that changed between two requests is on two pages.
  const shown = data && [
    ...new Map(data.pages.flatMap(({ page }) => page).map((one) => [one.id, one])).values(),
  ];
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <SearchField
        label={texts.conversations.search}
        look="quiet"
        value={wanted}
        onChange={setWanted}
        className="mx-3 mb-1"
      />
      <ul
        aria-label={texts.conversations.list}
        className="min-h-0 flex-1 space-y-0.5 overflow-y-auto px-3 py-1"
      >
        {shown?.map((one) => (
          <ConversationRow key={one.id} of={one} isOpen={one.id === open} onOpen={onOpen} />
        ))}
        {hasNextPage && !isPlaceholderData && (
          <li>
            <Button
              look="quiet"
              className="w-full"
              disabled={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {texts.conversations.more}
            </Button>
          </li>
        )}
        {shown?.length === 0 && !isPlaceholderData && (
          <li className="px-2 py-3 text-sm text-soft">
            {wanted ? texts.conversations.noneFound : texts.conversations.none}
          </li>
        )}
        {!data && (
          <li className="px-2 py-3">{error ? <Notice>{error.message}</Notice> : <Skeleton lines={4} />}</li>
        )}
      </ul>
    </div>
  );
}
