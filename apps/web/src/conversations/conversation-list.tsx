import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { conversationsQuery } from "../api/queries.js";
import { Notice } from "../ui/notice.js";
import { SearchField } from "../ui/search-field.js";
import { ConversationRow } from "./conversation-row.js";

interface ConversationListProps {
  readonly open: string | undefined;
  readonly onOpen: () => void;
}

/** The user's conversations, newest change first, with a search over their titles. */
export function ConversationList({ open, onOpen }: ConversationListProps) {
  const { data, error } = useQuery(conversationsQuery);
  const [wanted, setWanted] = useState("");
  const shown = data?.filter(({ title, id }) =>
    `${title} ${id}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <SearchField
        label="Search conversations"
        look="quiet"
        value={wanted}
        onChange={setWanted}
        className="mx-3 mb-1"
      />
      <ul aria-label="Conversations" className="min-h-0 flex-1 space-y-0.5 overflow-y-auto px-3 py-1">
        {shown?.map((one) => (
          <ConversationRow key={one.id} of={one} isOpen={one.id === open} onOpen={onOpen} />
        ))}
        {shown?.length === 0 && (
          <li className="px-2 py-3 text-sm text-soft">
            {wanted ? "No title has these words." : "What you ask appears here."}
          </li>
        )}
        {error && !data && (
          <li className="px-2 py-3">
            <Notice>{error.message}</Notice>
          </li>
        )}
      </ul>
    </div>
  );
}
