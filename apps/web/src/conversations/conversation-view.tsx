import { useQuery } from "@tanstack/react-query";
import { messagesQuery } from "../api/queries.js";
import { Chat } from "../chat/chat.js";
import { NewChat } from "../chat/new-chat.js";
import { texts } from "../texts/index.js";
import { Notice } from "../ui/notice.js";
import { Skeleton } from "../ui/skeleton.js";
import { ViewHeader } from "../ui/view-header.js";

interface ConversationViewProps {
  readonly id: string | undefined;
  readonly onList: () => void;
}

/** A conversation, or the start of a new one. */
export function ConversationView({ id, onList }: ConversationViewProps) {
  if (id === undefined) return <NewChat onList={onList} />;
  return <StoredConversation id={id} onList={onList} />;
}

function StoredConversation({ id, onList }: { readonly id: string; readonly onList: () => void }) {
  const { data, error } = useQuery(messagesQuery(id));
  if (data) return <Chat id={id} history={data} onList={onList} />;
  return (
    <>
      <ViewHeader title={texts.conversations.conversation} onList={onList} />
      <main className="flex-1 p-6">
        {error ? <Notice>{error.message}</Notice> : <Skeleton lines={6} className="mx-auto max-w-3xl" />}
      </main>
    </>
  );
}
