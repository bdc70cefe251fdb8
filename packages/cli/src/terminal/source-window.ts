import { shownText } from "@skillwright/core/adapter";
import { textWidth } from "./text-width.js";

export interface SourceWindow {
  /** Safe to print, at most that many columns wide, with `…` where something is cut. */
  readonly text: string;
  /** Number of columns before the position; missing where no position was requested. */
  readonly caret?: number;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  /** In UTF-16 units. */
  readonly offset: number;
}

const TAB_STOP = 4;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * A line of a file for a terminal: cut around the position, tabs as spaces, control characters written out. Only the
 * surroundings of the position are processed, whatever the line's length.
 *
 * @param column Counted from 1, in UTF-16 units; beyond the end it means after the last character.
 */
export function sourceWindow(line: string, column: number | undefined, columns: number): SourceWindow {
  const place = Math.min((column ?? 1) - 1, line.length);
  const from = Math.max(0, place - 4 * columns);
  const to = Math.min(line.length, place + 4 * columns);
  const cells = cellsOf(line.slice(from, to));
  const at = cells.findLastIndex(({ offset }) => offset <= place - from);
  const isBehind = place === line.length;
  const index = isBehind ? cells.length : Math.max(0, at);
  const whole = from === 0 && to === line.length && widthOf(cells) <= columns;
  const start = whole ? 0 : startOf(cells, index, Math.floor(columns / 2) - 1);
  const lead = from > 0 || start > 0 ? "…" : "";
  const end = whole ? cells.length : endOf(cells, start, columns - lead.length - 1);
  const tail = to < line.length || end < cells.length ? "…" : "";
  const text = lead + textOf(cells.slice(start, end)).trimEnd() + tail;
  return column === undefined ? { text } : { text, caret: lead.length + widthOf(cells.slice(start, index)) };
}

function cellsOf(text: string): Cell[] {
  const cells: Cell[] = [];
  let columns = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    const shown = segment === "\t" ? " ".repeat(TAB_STOP - (columns % TAB_STOP)) : shownText(segment);
    const width = segment === "\t" ? shown.length : textWidth(shown);
    cells.push({ text: shown, width, offset: index });
    columns += width;
  }
  return cells;
}

function startOf(cells: readonly Cell[], index: number, room: number): number {
  let start = index;
  for (
    let used = cells[start - 1]?.width ?? 0;
    start > 0 && used <= room;
    used += cells[start - 1]?.width ?? 0
  )
    start--;
  return start;
}

function endOf(cells: readonly Cell[], start: number, room: number): number {
  let end = start;
  for (let used = cells[end]?.width ?? 0; end < cells.length && used <= room; used += cells[end]?.width ?? 0)
    end++;
  return end;
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ text }) => text).join("");
}
