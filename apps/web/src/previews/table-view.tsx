import { useVirtualizer } from "@tanstack/react-virtual";
import Papa from "papaparse";
import { useMemo, useRef } from "react";
import { texts } from "../texts/index.js";
import { printable } from "../ui/printable.js";
import { count, numberInWords } from "../ui/words.js";
import { useLineIndex } from "./use-line-index.js";

const ROW_PX = 30;
const HEAD_PX = 34;
const MOST_ROWS = 1_100_000;
const MOST_COLUMNS = 200;
const MOST_CHARACTERS = 300;
const DECODER = new TextDecoder();

/** A table of delimited text. Its rows are found first; what is in view is parsed when it is drawn. */
export default function TableView({ bytes }: { readonly bytes: Uint8Array }) {
  const index = useLineIndex(bytes, true);
  const box = useRef<HTMLDivElement>(null);
  const { lines = 0, formulas = 0 } = index ?? {};
  const first = lines > 0 ? index?.line(0) : undefined;
  const delimiter = useMemo(() => delimiterOf(first), [first]);
  const read = (at: number) => cellsOf(index?.line(at), delimiter);
  const head = read(0);
  const sample = Math.min(lines, 50);
  const widths = useMemo(
    () => widthsOf(Array.from({ length: sample }, (_, at) => read(at))),
    [sample, delimiter],
  );
  const rows = useVirtualizer({
    count: Math.max(0, Math.min(lines - 1, MOST_ROWS)),
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    paddingStart: HEAD_PX,
  });
  const { rowsAndColumns, row, column, rowsShown, columnsShown } = texts.previews;
  const template = widths.map((ch) => `${ch}ch`).join(" ");
  return (
    <div className="flex h-full flex-col">
      <section
        ref={box}
        tabIndex={0}
        aria-label={texts.previews.rows}
        className="min-h-0 flex-1 overflow-auto text-sm"
      >
        {/* biome-ignore lint/a11y/useSemanticElements: a table whose rows are placed one by one */}
        <div
          role="table"
          aria-label={texts.ui.table}
          aria-rowcount={lines}
          className="relative w-max min-w-full"
          style={{ height: rows.getTotalSize() }}
        >
          <Row cells={head} template={template} number="" isHead />
          {rows.getVirtualItems().map(({ index: at, start }) => (
            <Row key={at} cells={read(at + 1)} template={template} number={String(at + 1)} top={start} />
          ))}
        </div>
      </section>
      <p className="border-t border-line px-3 py-1 text-xs text-soft">
        {rowsAndColumns(count(Math.max(0, lines - 1), row), count(head.length, column))}
        {lines - 1 > MOST_ROWS && rowsShown(numberInWords(MOST_ROWS))}
        {head.length > MOST_COLUMNS && columnsShown(numberInWords(MOST_COLUMNS))}
        {formulas > 0 && <span className="text-warn">{count(formulas, texts.previews.formulas)}</span>}
      </p>
    </div>
  );
}

interface RowProps {
  readonly cells: readonly string[];
  readonly template: string;
  readonly number: string;
  readonly top?: number;
  readonly isHead?: boolean;
}

function Row({ cells, template, number, top, isHead = false }: RowProps) {
  const place = isHead
    ? "sticky top-0 z-10 bg-panel border-b"
    : "absolute top-0 left-0 border-b border-line/60";
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: it is no part of a grid
    <div
      role="row"
      className={`grid min-w-full items-center border-line ${place}`}
      style={{
        gridTemplateColumns: `7ch ${template}`,
        height: isHead ? HEAD_PX : ROW_PX,
        ...(top !== undefined && { transform: `translateY(${top}px)` }),
      }}
    >
      <span aria-hidden="true" className="px-2 text-right text-xs text-soft">
        {number}
      </span>
      {cells.slice(0, MOST_COLUMNS).map((cell, at) => (
        <span key={at} role={isHead ? "columnheader" : "cell"} title={cell} className="truncate px-2">
          <bdi className={isHead ? "font-semibold" : ""}>{cell}</bdi>
        </span>
      ))}
    </div>
  );
}

function delimiterOf(line: Uint8Array | undefined): string {
  const text = DECODER.decode(line?.subarray(0, 10_000));
  const counts = [",", ";", "\t", "|"].map((one) => ({ one, times: text.split(one).length }));
  return counts.reduce((best, next) => (next.times > best.times ? next : best)).one;
}

/** A cell is text, whatever it begins with. */
function cellsOf(line: Uint8Array | undefined, delimiter: string): readonly string[] {
  if (!line) return [];
  const text = DECODER.decode(line.subarray(0, 200_000)).replace(/^\ufeff/, "");
  const [cells = []] = Papa.parse<string[]>(text, { delimiter, preview: 1 }).data;
  return cells.map((cell) => printable(cell.slice(0, MOST_CHARACTERS)).replaceAll("\n", " ↵ "));
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const columns = Math.min(MOST_COLUMNS, Math.max(1, ...rows.map(({ length }) => length)));
  return Array.from({ length: columns }, (_, at) =>
    Math.min(42, Math.max(8, ...rows.map((row) => (row[at]?.length ?? 0) + 4))),
  );
}
