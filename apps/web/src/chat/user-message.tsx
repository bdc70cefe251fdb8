import { Paperclip, Pencil } from "lucide-react";
import { useState } from "react";
import type { ChatMessage } from "../api/answers.js";
import { texts } from "../texts/index.js";
import { IconButton } from "../ui/button.js";
import { bytesInWords } from "../ui/words.js";
import { EditMessage } from "./edit-message.js";

interface UserMessageProps {
  readonly message: ChatMessage;
  /** Sends it again with another text, which removes what followed. Missing while a turn runs. */
  readonly onEdit: ((message: ChatMessage, text: string) => void) | undefined;
}

export function UserMessage({ message, onEdit }: UserMessageProps) {
  const [isEditing, setEditing] = useState(false);
  const text = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const files = message.parts.flatMap((part) =>
    (part.type as string) === "data-upload" ? [(part as unknown as UploadPart).data] : [],
  );
  return (
    <article aria-label={texts.chat.yourMessage} className="flex flex-col items-end gap-1.5">
      {files.length > 0 && (
        <ul aria-label={texts.files.title} className="flex flex-wrap justify-end gap-1.5">
          {files.map(({ path, size }) => (
            <li
              key={path}
              className="flex items-center gap-1.5 rounded-lg border border-line bg-raised px-2 py-1 text-xs"
            >
              <Paperclip className="size-3.5 text-soft" aria-hidden="true" />
              <span className="max-w-60 truncate">{path}</span>
              <span className="text-soft">{bytesInWords(size)}</span>
            </li>
          ))}
        </ul>
      )}
      {isEditing && onEdit ? (
        <EditMessage
          text={text}
          onCancel={() => setEditing(false)}
          onSend={(changed) => {
            setEditing(false);
            onEdit(message, changed);
          }}
        />
      ) : (
        <div className="group flex max-w-[85%] items-start gap-1">
          {onEdit && (
            <IconButton
              label={texts.chat.edit}
              className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
              onClick={() => setEditing(true)}
            >
              <Pencil className="size-4" aria-hidden="true" />
            </IconButton>
          )}
          <div dir="auto" className="min-w-0 rounded-2xl rounded-br-md bg-tint px-4 py-2 whitespace-pre-wrap">
            {text}
          </div>
        </div>
      )}
    </article>
  );
}

interface UploadPart {
  readonly data: { readonly path: string; readonly size: number };
}
