/** The widths of gaps, in font sizes, that separate words, and the cells of a row. */
const WORD_GAP = 0.18;
const CELL_GAP = 1.6;

/** Chinese, Japanese and Korean characters, which are written without spaces. */
export const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/**
 * Lines of a page in the document's order: `{ x, right, y, size, mono, cells }`, where `cells` are the stretches of
 * text between wide gaps, `{ x, right, spans }`, and a span is text with one link or none.
 */
export function pageLines(pieces) {
  const lines = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line && continues(line, piece)) append(line, piece);
    else lines.push(newLine(piece));
  }
  return lines;
}

/** The text of a line, its cells separated by `between`. */
export function lineText(line, between = " ") {
  return line.cells.map((cell) => cellText(cell)).join(between);
}

export function cellText(cell) {
  return cell.spans.map((span) => span.text).join("");
}

/** Whether the piece is on the same baseline (small marks may be higher or lower) and not left of the line: columns start again. */
function continues(line, piece) {
  if (!piece.upright || !line.upright) return false;
  const size = Math.max(line.size, piece.size);
  return Math.abs(piece.y - line.y) < 0.4 * size && piece.x > line.right - 0.5 * size;
}

function newLine(piece) {
  const { x, y, width, size, upright } = piece;
  // Every character of a CJK face is as wide as the others, which does not make it a typewriter face.
  const mono = piece.mono && !CJK.test(piece.text);
  const right = x + width;
  return { x, y, right, size, mono, upright, cells: [{ x, right, spans: [spanOf(piece)] }] };
}

function append(line, piece) {
  const gap = (piece.x - line.right) / Math.max(line.size, piece.size);
  const cell = line.cells.at(-1);
  const marker = line.cells.length === 1 && MARKER.test(cellText(cell));
  if (gap > CELL_GAP && !marker) line.cells.push({ x: piece.x, right: piece.x, spans: [spanOf(piece)] });
  else appendToCell(cell, piece, gap > WORD_GAP);
  line.cells.at(-1).right = piece.x + piece.width;
  line.right = piece.x + piece.width;
  line.mono &&= piece.mono;
  if (piece.size > line.size) {
    line.size = piece.size;
    line.y = piece.y;
  }
}

/** A bullet or a number alone: the text after it belongs to it, at any distance. */
const MARKER = /^\s*([•‣◦▪●○■□–—·*-]|\d{1,3}[.)]|[a-z][.)])\s*$/u;

function appendToCell(cell, piece, gap) {
  const before = cell.spans.at(-1);
  const needsSpace = gap && !/\s$/.test(before.text) && !/^\s/.test(piece.text);
  const text = needsSpace ? ` ${piece.text}` : piece.text;
  if (before.url === piece.url) before.text += text;
  else if (piece.url && needsSpace) {
    before.text += " ";
    cell.spans.push(spanOf(piece));
  } else cell.spans.push({ ...spanOf(piece), text });
}

function spanOf({ text, url }) {
  return url ? { text, url } : { text };
}
