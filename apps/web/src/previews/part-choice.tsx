import { texts } from "../texts/index.js";
import { bytesInWords } from "../ui/words.js";

interface PartChoiceProps {
  readonly chosen: "first" | "last";
  readonly bytes: number;
  readonly size: number;
  readonly onChoose: (part: "first" | "last") => void;
}

/** Which part of a large file is read. */
export function PartChoice({ chosen, bytes, size, onChoose }: PartChoiceProps) {
  return (
    <p className="flex flex-wrap items-center gap-2 border-b border-line bg-panel px-4 py-1.5 text-xs text-soft">
      {texts.previews.part.before(bytesInWords(size))}
      <select
        aria-label={texts.previews.partLabel}
        value={chosen}
        onChange={({ target }) => onChoose(target.value === "first" ? "first" : "last")}
        className="rounded-lg border border-line bg-page px-2 py-1 text-ink"
      >
        <option value="first">{texts.previews.first(bytesInWords(bytes))}</option>
        <option value="last">{texts.previews.last(bytesInWords(bytes))}</option>
      </select>
      {texts.previews.part.after}
    </p>
  );
}
