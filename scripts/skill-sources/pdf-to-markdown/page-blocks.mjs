import { cellText, lineText } from "./page-lines.mjs";
import { tableAt } from "./table-at.mjs";
import { hasLeader, headingLevel } from "./text-measures.mjs";

const BULLET = /^\s*[•‣◦▪●○■□–—·*-]\s+/u;
const NUMBER = /^\s*(\d{1,3})[.)]\s+/;

/**
 * The lines of a page as blocks: `heading` (level, lines), `paragraph` (lines), `list` (items with depth, marker and
 * lines), `table` (rows of cells) and `code` (lines).
 */
export function pageBlocks(lines, measures) {
  const blocks = [];
  for (let at = 0; at < lines.length; ) {
    const table = tableAt(lines, at, measures);
    if (table) {
      blocks.push(table.block);
      at += table.taken;
    } else {
      addLine(blocks, lines[at], lines[at - 1], measures);
      at += 1;
    }
  }
  return blocks;
}

function addLine(blocks, line, before, measures) {
  const block = blocks.at(-1);
  const level = headingLevel(line, measures);
  const follows = before !== undefined && isNextLine(line, before, measures);
  if (level) {
    if (block?.kind === "heading" && block.level === level && follows) block.lines.push(line);
    else blocks.push({ kind: "heading", level, lines: [line] });
  } else if (line.mono) addCode(blocks, line, before);
  else if (BULLET.test(lineText(line)) || startsNumber(line, block) || hasLeader(lineText(line)))
    addItem(blocks, line);
  else if (block?.kind === "list" && follows && line.x > block.items.at(-1).x + 1)
    block.items.at(-1).lines.push(line);
  else if (block?.kind === "paragraph" && follows && !startsParagraph(line, block)) block.lines.push(line);
  else blocks.push({ kind: "paragraph", lines: [line] });
}

/** Whether the line is one usual step below the previous one, in about the same size. */
function isNextLine(line, before, { leading }) {
  const step = (line.y - before.y) / Math.max(line.size, before.size);
  const alike = Math.abs(line.size - before.size) < 0.12 * before.size;
  return alike && step > 0 && step < Math.max(leading * 1.3, leading + 0.25);
}

/** An indented first line after a finished sentence, or a line after one that ended well before the margin. */
function startsParagraph(line, { lines }) {
  const last = lines.at(-1);
  if (!/[.!?:;。！？：”"')\]]\s*$/u.test(lineText(last))) return false;
  const left = Math.min(...lines.slice(-3).map(({ x }) => x));
  const widest = Math.max(...lines.map(({ right }) => right));
  const indented = line.x - left > 0.8 * line.size;
  const short = lines.length > 1 && widest - last.right > 0.3 * (widest - left);
  return indented || short;
}

/** A numbered item starts with 1, or continues with the next number: "2024. That year ..." in a paragraph is not an item. */
function startsNumber(line, block) {
  const number = Number(NUMBER.exec(lineText(line))?.[1]);
  if (number === 1) return true;
  const before = block?.kind === "list" && block.items.findLast((item) => item.marker !== "-");
  return Boolean(before) && number === Number.parseInt(before.marker, 10) + 1;
}

function addItem(blocks, line) {
  const text = lineText(line);
  const number = NUMBER.exec(text)?.[1];
  const numbered = number && startsNumber(line, blocks.at(-1));
  const pattern = numbered ? NUMBER : BULLET;
  const item = { x: line.x, marker: numbered ? `${number}.` : "-", lines: [withoutMarker(line, pattern)] };
  let block = blocks.at(-1);
  if (block?.kind !== "list") {
    block = { kind: "list", items: [] };
    blocks.push(block);
  }
  block.items.push({ ...item, depth: depthOf(item, block.items) });
}

/** The depth of an earlier item at the same position, otherwise one more than that of the last one further left. */
function depthOf(item, items) {
  const near = items.findLast(({ x }) => Math.abs(x - item.x) < 3);
  if (near) return near.depth;
  const outer = items.findLast(({ x }) => x < item.x);
  return outer ? outer.depth + 1 : 0;
}

function withoutMarker(line, pattern) {
  const [cell, ...cells] = line.cells;
  const marker = pattern.exec(cellText(cell))?.[0].length ?? 0;
  let left = marker;
  const spans = cell.spans.flatMap((span) => {
    const text = span.text.slice(left);
    left = Math.max(0, left - span.text.length);
    return text ? [{ ...span, text }] : [];
  });
  return { ...line, cells: [{ ...cell, spans }, ...cells] };
}

/** Lines in a typewriter face: their indent and the empty lines between them are part of the text. */
function addCode(blocks, line, before) {
  const block = blocks.at(-1);
  const step = before && (line.y - before.y) / line.size;
  if (block?.kind !== "code" || !(step > 0 && step < 4)) {
    blocks.push({ kind: "code", lines: [line] });
    return;
  }
  for (let empty = Math.round(step / 1.25) - 1; empty > 0; empty--) block.lines.push(undefined);
  block.lines.push(line);
}
