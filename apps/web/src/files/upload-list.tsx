import { FileCheck, FileX, LoaderCircle, X } from "lucide-react";
import { texts } from "../texts/index.js";
import { bytesInWords } from "../ui/words.js";
import type { UploadItem, Uploads } from "./use-uploads.js";

/** The files of the next message, with their progress. */
export function UploadList({ uploads: { items, remove } }: { readonly uploads: Uploads }) {
  if (items.length === 0) return null;
  return (
    <ul
      aria-label={texts.files.ofMessage}
      className="flex max-h-40 flex-wrap gap-1.5 overflow-y-auto px-1 pb-2"
    >
      {items.map((item) => (
        <Upload key={item.key} item={item} onRemove={() => remove(item.key)} />
      ))}
    </ul>
  );
}

function Upload({ item, onRemove }: { readonly item: UploadItem; readonly onRemove: () => void }) {
  const { name, size, sent, state, failure } = item;
  const isRunning = state === "sending" || state === "waiting";
  const Icon = isRunning ? LoaderCircle : state === "stored" ? FileCheck : FileX;
  return (
    <li
      className={`max-w-full rounded-lg border px-2 py-1 text-xs ${failure ? "border-bad/50" : "border-line"}`}
    >
      <div className="flex items-center gap-1.5">
        <Icon
          className={`size-3.5 shrink-0 ${isRunning ? "animate-spin text-accent" : failure ? "text-bad" : "text-good"}`}
          aria-hidden="true"
        />
        <span className="max-w-56 truncate" title={name}>
          {name}
        </span>
        <span className="text-soft">{bytesInWords(size)}</span>
        <button
          type="button"
          aria-label={isRunning ? texts.files.cancel(name) : texts.files.leaveOut(name)}
          onClick={onRemove}
          className="rounded p-1 text-soft hover:text-ink"
        >
          <X className="size-3.5" aria-hidden="true" />
        </button>
      </div>
      {state === "sending" && (
        <progress
          aria-label={texts.files.progress(name)}
          max={Math.max(1, size)}
          value={sent}
          className="block w-full"
        />
      )}
      {failure && (
        <p role="alert" className="text-bad">
          {failure}
        </p>
      )}
    </li>
  );
}
