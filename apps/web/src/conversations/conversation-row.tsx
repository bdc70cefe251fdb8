import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, Pencil, Trash2, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Conversation } from "../api/answers.js";
import { requestJson } from "../api/request.js";
import { addressOf, go } from "../app/route.js";
import { texts } from "../texts/index.js";
import { IconButton } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { agoInWords } from "../ui/words.js";

interface ConversationRowProps {
  readonly of: Conversation;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** A conversation in the list, with its rename and delete. */
export function ConversationRow({ of: { id, title, updatedAt }, isOpen, onOpen }: ConversationRowProps) {
  const queries = useQueryClient();
  const [doing, setDoing] = useState<"rename" | "delete">();
  const [name, setName] = useState(title);
  const shown = title || texts.conversations.untitled;
  const done = async () => {
    setDoing(undefined);
    await queries.invalidateQueries({ queryKey: ["conversations"] });
    await queries.invalidateQueries({ queryKey: ["conversation", id] });
  };
  const rename = useMutation({
    mutationFn: () => requestJson(`/conversations/${id}`, { method: "PATCH", json: { title: name.trim() } }),
    onSuccess: done,
  });
  const remove = useMutation({
    mutationFn: () => requestJson(`/conversations/${id}`, { method: "DELETE" }),
    onSuccess: async () => {
      if (isOpen) go({ view: "conversation", id: undefined });
      await done();
    },
  });

  if (doing === "rename")
    return (
      <li>
        <form
          className="flex items-center rounded-lg bg-raised pl-2"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            rename.mutate();
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: the person has just asked for it
            autoFocus
            aria-label={texts.conversations.newTitle(shown)}
            value={name}
            maxLength={200}
            onChange={({ target }) => setName(target.value)}
            onKeyDown={({ key }) => key === "Escape" && setDoing(undefined)}
            className="min-w-0 flex-1 bg-transparent text-sm"
          />
          <IconButton label={texts.conversations.keepTitle} type="submit">
            <Check className="size-4" aria-hidden="true" />
          </IconButton>
          <IconButton label={texts.conversations.leaveTitle} onClick={() => setDoing(undefined)}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </form>
      </li>
    );
  if (doing === "delete")
    return (
      <li className="rounded-lg border border-line bg-raised p-2 text-sm">
        <p>{texts.conversations.askDelete(shown)}</p>
        {remove.error && <Notice>{remove.error.message}</Notice>}
        <div className="mt-1 flex justify-end gap-1">
          <button type="button" className="rounded px-2 py-1 text-soft" onClick={() => setDoing(undefined)}>
            {texts.conversations.keep}
          </button>
          <button
            type="button"
            className="rounded px-2 py-1 font-medium text-bad"
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {texts.conversations.confirmDelete}
          </button>
        </div>
      </li>
    );
  return (
    <li className={`group flex items-center rounded-lg ${isOpen ? "bg-tint" : "hover:bg-raised"}`}>
      <a
        href={addressOf({ view: "conversation", id })}
        onClick={onOpen}
        aria-current={isOpen ? "page" : undefined}
        className="min-w-0 flex-1 rounded-lg px-2 py-1.5"
      >
        <span className="block truncate text-sm" dir="auto">
          {shown}
        </span>
        <span className="block text-xs text-soft">{agoInWords(updatedAt)}</span>
      </a>
      <span className="hidden group-focus-within:flex group-hover:flex [@media(hover:none)]:flex">
        <IconButton
          label={texts.conversations.rename(shown)}
          className="size-7"
          onClick={() => {
            setName(title);
            setDoing("rename");
          }}
        >
          <Pencil className="size-3.5" aria-hidden="true" />
        </IconButton>
        <IconButton
          label={texts.conversations.delete(shown)}
          className="size-7"
          onClick={() => setDoing("delete")}
        >
          <Trash2 className="size-3.5" aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  );
}
