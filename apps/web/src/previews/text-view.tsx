import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { texts } from "../texts/index.js";
import { printable } from "../ui/printable.js";
import { count, numberInWords } from "../ui/words.js";
import { ColouredLine } from "./coloured-line.js";
import { useColouredLines } from "./use-coloured-lines.js";
import { useLineIndex } from "./use-line-index.js";

const LINE_PX = 20;
/** A longer line is shown up to here. */
const MOST_BYTES = 4000;
/** Browsers draw nothing below 33,554,428 px. */
const MOST_LINES = 1_600_000;
const DECODER = new TextDecoder();

interface TextViewProps {
  readonly bytes: Uint8Array;
  /** The name of the file, which tells its language and so its colours. */
  readonly name?: string;
}

const MOST_COLOURED_BYTES = 400_000;

/** Text of any length with numbers of lines; only the lines in view are drawn. */
export default function TextView({ bytes, name = "" }: TextViewProps) {
  const index = useLineIndex(bytes, false);
  const text = useMemo(
    () => (bytes.length > MOST_COLOURED_BYTES ? undefined : DECODER.decode(bytes).replaceAll("\r\n", "\n")),
    [bytes],
  );
  const coloured = useColouredLines(name, text);
  const box = useRef<HTMLDivElement>(null);
  const lines = index?.lines ?? 0;
  const rows = useVirtualizer({
    count: Math.min(lines, MOST_LINES),
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 10,
  });
  return (
    <div className="flex h-full flex-col">
      <section
        ref={box}
        tabIndex={0}
        aria-label={texts.previews.text}
        className="min-h-0 flex-1 overflow-auto font-mono text-xs"
      >
        <div className="relative w-max min-w-full" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index: at, start }) => (
            <div
              key={at}
              className="absolute inset-x-0 leading-5 whitespace-pre"
              style={{ height: LINE_PX, transform: `translateY(${start}px)` }}
            >
              <span className="mr-4 inline-block w-16 text-right text-soft select-none">{at + 1}</span>
              {coloured?.[at] ? <ColouredLine parts={coloured[at]} /> : <bdi>{textOf(index?.line(at))}</bdi>}
            </div>
          ))}
        </div>
      </section>
      <p className="border-t border-line px-3 py-1 text-xs text-soft">
        {count(lines, texts.ui.line)}
        {lines > MOST_LINES && texts.previews.linesShown(numberInWords(MOST_LINES))}
      </p>
    </div>
  );
}

function textOf(line: Uint8Array | undefined): string {
  if (!line) return "";
  const text = printable(DECODER.decode(line.subarray(0, MOST_BYTES)));
  return line.length > MOST_BYTES
    ? `${text} ${count(line.length - MOST_BYTES, texts.previews.moreBytes)}`
    : text;
}
