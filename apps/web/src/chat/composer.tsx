import { ArrowUp, Paperclip, Square } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { pickedFiles } from "../files/dropped-files.js";
import { UploadList } from "../files/upload-list.js";
import type { Uploads } from "../files/use-uploads.js";
import { texts } from "../texts/index.js";
import { IconButton } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { draftOf, keepDraft } from "./draft.js";
import { SkillPicker } from "./skill-picker.js";
import { useSkillPicker } from "./use-skill-picker.js";

interface ComposerProps {
  /** Missing where it has not begun. */
  readonly conversation: string | undefined;
  readonly uploads: Uploads;
  /** True while a turn runs. A message that is sent now waits for the end of the turn. */
  readonly isBusy: boolean;
  /** True while a question waits for the person's answer. A message that is sent now waits for it, too. */
  readonly isParked?: boolean;
  readonly onSend: (text: string) => void;
  readonly onStop?: () => Promise<void>;
}

/** Where one writes, adds files and stops the turn. Enter sends, Shift+Enter begins a line. */
export function Composer({ conversation, uploads, isBusy, isParked = false, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState(() => draftOf(conversation));
  const [cursor, setCursor] = useState(text.length);
  const write = (now: string, at = now.length) => {
    setText(now);
    setCursor(at);
    keepDraft(conversation, now);
  };
  const picker = useSkillPicker(text, cursor, write);
  const pickerId = useId();
  const [failure, setFailure] = useState<string>();
  const [isStopping, setStopping] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const canSend = text.trim() !== "" && !uploads.isSending;
  const sends = isBusy
    ? texts.composer.sendAfterTurn
    : isParked
      ? texts.composer.sendAfterAnswer
      : texts.composer.send;
  const send = () => {
    if (!canSend) return;
    onSend(text.trim());
    write("");
  };
  const stop = async () => {
    setStopping(true);
    setFailure(undefined);
    await onStop?.().catch((error: Error) => setFailure(texts.composer.notStopped(error.message)));
    setStopping(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.nativeEvent.isComposing && picker.onKey(event.key)) return event.preventDefault();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const onPaste = ({ clipboardData }: ClipboardEvent) => {
    if (clipboardData.files.length > 0) uploads.add(pickedFiles(clipboardData.files));
  };
  return (
    <form
      aria-label={texts.composer.message}
      className="relative rounded-2xl border border-line bg-raised p-2 shadow-sm focus-within:border-accent"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <SkillPicker id={pickerId} picker={picker} />
      <UploadList uploads={uploads} />
      <textarea
        aria-label={texts.composer.message}
        placeholder={
          isParked
            ? texts.composer.hintWhileParked
            : isBusy
              ? texts.composer.hintWhileBusy
              : texts.composer.hint
        }
        value={text}
        dir="auto"
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        role="combobox"
        aria-expanded={picker.found.length > 0}
        aria-controls={pickerId}
        aria-autocomplete="list"
        aria-activedescendant={picker.found.length > 0 ? `${pickerId}-${picker.active}` : undefined}
        onChange={({ target }) => write(target.value, target.selectionStart)}
        onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        className="block w-full resize-none bg-transparent px-2 py-1 outline-none placeholder:text-soft"
      />
      {failure && <Notice>{failure}</Notice>}
      <div className="flex items-center gap-1">
        <IconButton label={texts.composer.addFiles} onClick={() => files.current?.click()}>
          <Paperclip className="size-4" aria-hidden="true" />
        </IconButton>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={texts.composer.filesToAdd}
          onChange={({ target }) => {
            uploads.add(pickedFiles(target.files ?? []));
            target.value = "";
          }}
        />
        <span className="flex-1" />
        {isBusy && onStop ? (
          <button
            type="button"
            disabled={isStopping}
            onClick={() => void stop()}
            className="flex h-9 items-center gap-2 rounded-lg border border-line px-3 text-sm font-medium text-bad hover:bg-panel disabled:opacity-60"
          >
            <Square className="size-3.5 fill-current" aria-hidden="true" />
            {isStopping ? texts.composer.stopping : texts.composer.stop}
          </button>
        ) : null}
        {(!isBusy || text.trim() !== "") && (
          <button
            type="submit"
            aria-label={sends}
            title={sends}
            disabled={!canSend}
            className="flex size-9 items-center justify-center rounded-lg bg-accent text-accent-ink disabled:opacity-40"
          >
            <ArrowUp className="size-5" aria-hidden="true" />
          </button>
        )}
      </div>
    </form>
  );
}
