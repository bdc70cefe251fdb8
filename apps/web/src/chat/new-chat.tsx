import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { agentsQuery, serverQuery, skillsQuery } from "../api/queries.js";
import { go } from "../app/route.js";
import { DropZone } from "../files/drop-zone.js";
import { useUploads } from "../files/use-uploads.js";
import { texts } from "../texts/index.js";
import { Notice } from "../ui/notice.js";
import { ViewHeader } from "../ui/view-header.js";
import { count } from "../ui/words.js";
import { Composer } from "./composer.js";
import { createConversation, keepFirstMessage } from "./first-message.js";

/** The start of a conversation, which is created with its first message or file. */
export function NewChat({ onList }: { readonly onList: () => void }) {
  const { data: server } = useQuery(serverQuery);
  const { data: agents } = useQuery(agentsQuery);
  const { data: skills } = useQuery(skillsQuery);
  const queries = useQueryClient();
  const [failure, setFailure] = useState<Error>();
  const agent = agents?.find(({ isDefault }) => isDefault);
  const created = useRef<Promise<string>>(undefined);
  const conversation = () => {
    created.current ??= createConversation();
    // After a failure the next attempt creates one.
    created.current.catch(() => {
      created.current = undefined;
    });
    return created.current;
  };
  const uploads = useUploads(conversation, server?.maxUploadBytes);
  const send = async (text: string) => {
    try {
      const id = await conversation();
      await keepFirstMessage(id, { text, files: uploads.taken() });
      void queries.invalidateQueries({ queryKey: ["conversations"] });
      go({ view: "conversation", id });
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <DropZone onFiles={uploads.add}>
      <ViewHeader
        title={texts.conversations.new}
        detail={agent && `${agent.name} · ${agent.model}`}
        onList={onList}
      />
      <main className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="m-auto w-full max-w-3xl space-y-6 px-4 py-8">
          <div className="space-y-2 text-center">
            <h2 className="text-2xl font-semibold">{texts.chat.begin}</h2>
            <p className="text-soft">
              {skills?.skills.length
                ? count(skills.skills.length, texts.chat.skillsOfAgent)
                : texts.chat.withoutSkills}
            </p>
          </div>
          {failure && <Notice>{failure.message}</Notice>}
          <Composer
            conversation={undefined}
            uploads={uploads}
            isBusy={false}
            onSend={(text) => void send(text)}
          />
          <ul aria-label={texts.skills.title} className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            {skills?.skills.slice(0, 6).map(({ name, description }) => (
              <li key={name} className="rounded-xl border border-line bg-raised p-3">
                <a href={`#/skills/${encodeURIComponent(name)}`} className="font-medium hover:text-accent">
                  {name}
                </a>
                <p className="line-clamp-2 text-sm text-soft">{description}</p>
              </li>
            ))}
          </ul>
        </div>
      </main>
    </DropZone>
  );
}
