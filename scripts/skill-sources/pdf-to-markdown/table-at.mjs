import { headingLevel } from "./text-measures.mjs";

/**
 * The table that starts at a line, with the number of lines it takes: at least two lines of at least three cells, or
 * three lines of two, whose cells stand under each other at their left or right edges.
 */
export function tableAt(lines, at, measures) {
  const first = lines[at];
  const columns = first.cells.length;
  if (columns < 2 || first.mono || headingLevel(first, measures)) return undefined;
  let taken = 1;
  while (at + taken < lines.length && isRow(lines[at + taken], lines[at + taken - 1], first)) taken++;
  if (taken < (columns > 2 ? 2 : 3)) return undefined;
  return { taken, block: { kind: "table", rows: lines.slice(at, at + taken).map((line) => line.cells) } };
}

function isRow(line, before, first) {
  const step = (line.y - before.y) / line.size;
  return (
    step > 0 &&
    step < 4 &&
    line.cells.length === first.cells.length &&
    line.cells.every((cell, column) => standsUnder(cell, first.cells[column], line.size))
  );
}

function standsUnder(cell, head, size) {
  const middle = ({ x, right }) => (x + right) / 2;
  const edges = [cell.x - head.x, cell.right - head.right, middle(cell) - middle(head)];
  return edges.some((distance) => Math.abs(distance) < 0.5 * size);
}
