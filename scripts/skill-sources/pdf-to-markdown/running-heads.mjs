import { lineText } from "./page-lines.mjs";

const EDGE = 0.1;

/**
 * The pages without the lines in the top or bottom tenth that repeat on at least three pages: the same words at the
 * same height, or a number at one end that counts with the pages. `left` tells which: a text, and on how many pages.
 */
export function withoutRunningHeads(pages) {
  const seen = new Map();
  for (const page of pages)
    for (const line of edgeLines(page))
      for (const key of keysOf(line, page)) {
        const known = seen.get(key) ?? { text: lineText(line), pages: new Set() };
        known.pages.add(page.number);
        seen.set(key, known);
      }
  const runningKey = (line, page) => keysOf(line, page).find((key) => seen.get(key).pages.size >= 3);
  const found = new Map();
  const kept = pages.map((page) => {
    const edge = new Set(edgeLines(page));
    const lines = page.lines.filter((line) => {
      const key = edge.has(line) && runningKey(line, page);
      if (!key) return true;
      const { text, count } = found.get(key) ?? { text: lineText(line), count: 0 };
      found.set(key, { text, count: count + 1 });
      return false;
    });
    return { ...page, lines };
  });
  return { kept, left: [...found.values()] };
}

function edgeLines({ lines, height }) {
  return lines.filter(({ y }) => y < EDGE * height || y > (1 - EDGE) * height);
}

/** What a line has in common with the other running heads of its kind, most reliable first. */
function keysOf(line, { number, height }) {
  const text = lineText(line).trim();
  const keys = [`words ${Math.round(line.y / 4)} ${text.replace(/\d+/g, "#")}`];
  const end = line.y < height / 2 ? "top" : "bottom";
  for (const digits of [/^\d{1,4}(?!\S)/.exec(text), /(?<!\S)\d{1,4}$/.exec(text)])
    if (digits) keys.push(`pages ${end} ${Number(digits[0]) - number}`);
  return keys;
}
