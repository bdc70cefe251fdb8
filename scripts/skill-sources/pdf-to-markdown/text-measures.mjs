import { lineText } from "./page-lines.mjs";

const HEADING_LENGTH = 160;

/**
 * What is usual in this document: `body`, the font size most of the text has; `leading`, the usual step from line to
 * line in font sizes; `levels`, the sizes of headings, largest first; `words`, to tell a hyphen from a hyphenation.
 */
export function measureText(pages) {
  const lines = pages.flatMap((page) => page.lines);
  const sizes = new Map();
  for (const line of lines) addTo(sizes, sizeOf(line), lineText(line).length);
  const body = mostOf(sizes) ?? 12;
  const larger = lines.filter(
    (line) => sizeOf(line) >= body * 1.12 && lineText(line).length <= HEADING_LENGTH,
  );
  const levels = [...new Set(larger.map(sizeOf))].sort((a, b) => b - a);
  const words = new Set(
    lines.flatMap(
      (line) =>
        lineText(line)
          .toLowerCase()
          .match(/[\p{L}\p{N}-]+/gu) ?? [],
    ),
  );
  return { body, levels, leading: leadingOf(pages), words };
}

/** The level 1 to 6 of a line in the size of a heading, otherwise undefined. */
export function headingLevel(line, { levels }) {
  const at = levels.indexOf(sizeOf(line));
  const text = lineText(line);
  return at < 0 || text.length > HEADING_LENGTH || hasLeader(text) ? undefined : Math.min(at + 1, 6);
}

/** Whether a text has the row of dots that leads to the page number in a table of contents. */
export const hasLeader = (text) => /(?:\s*\.){4,}\s*\S+\s*$/.test(text);

const sizeOf = (line) => Math.round(line.size * 2) / 2;

function leadingOf(pages) {
  const steps = new Map();
  for (const { lines } of pages)
    for (const [at, line] of lines.entries()) {
      const step = (line.y - (lines[at - 1]?.y ?? Number.POSITIVE_INFINITY)) / line.size;
      if (step > 0.9 && step < 2.5) addTo(steps, Math.round(step * 20) / 20, 1);
    }
  return mostOf(steps) ?? 1.2;
}

function addTo(counts, key, count) {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function mostOf(counts) {
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
