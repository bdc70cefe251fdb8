import { useState } from "react";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";

interface EditMessageProps {
  readonly text: string;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** A message that is written again. */
export function EditMessage({ text, onSend, onCancel }: EditMessageProps) {
  const [changed, setChanged] = useState(text);
  return (
    <form
      className="w-full space-y-2 rounded-2xl border border-line bg-raised p-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(changed.trim());
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it
        autoFocus
        aria-label={texts.chat.editedMessage}
        dir="auto"
        rows={Math.min(10, Math.max(2, changed.split("\n").length))}
        value={changed}
        onChange={({ target }) => setChanged(target.value)}
        onKeyDown={({ key }) => key === "Escape" && onCancel()}
        className="block w-full resize-none bg-transparent outline-none"
      />
      <p className="text-xs text-soft">{texts.chat.editConsequence}</p>
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onCancel}>
          {texts.chat.cancel}
        </Button>
        <Button type="submit" look="main" disabled={changed.trim() === ""}>
          {texts.chat.sendAgain}
        </Button>
      </div>
    </form>
  );
}
