import { CJK, cellText, lineText } from "./page-lines.mjs";

/** The pages as one Markdown text. A page break is a comment with the page's number, a rule, or nothing. */
export function toMarkdown(pages, measures, pageBreaks) {
  const parts = pages.flatMap(({ number, blocks }, at) => {
    const texts = blocks.map((block) => blockText(block, measures));
    const body = texts.length > 0 ? texts : [`<!-- page ${number} has no text -->`];
    if (at === 0 || pageBreaks === "none") return body;
    return [pageBreaks === "rule" ? "---" : `<!-- page ${number} -->`, ...body];
  });
  return `${parts.join("\n\n")}\n`;
}

function blockText(block, measures) {
  if (block.kind === "heading") return `${"#".repeat(block.level)} ${joined(block.lines, measures)}`;
  if (block.kind === "list") return block.items.map((item) => itemText(item, measures)).join("\n");
  if (block.kind === "table") return tableText(block.rows);
  if (block.kind === "code") return codeText(block.lines);
  return escapeStart(joined(block.lines, measures));
}

function itemText({ depth, marker, lines }, measures) {
  return `${"    ".repeat(depth)}${marker} ${escapeStart(joined(lines, measures))}`;
}

function tableText([head, ...rows]) {
  const line = (cells) =>
    `| ${cells.map((cell) => spansText(cell.spans).trim().replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function codeText(lines) {
  const given = lines.filter(Boolean);
  const left = Math.min(...given.map(({ x }) => x));
  // A typewriter face is 0.6 em wide.
  const column = ({ x, size }) => Math.max(0, Math.round((x - left) / (0.6 * size)));
  const row = (line) => {
    let text = "";
    for (const cell of line.cells)
      text = text.padEnd(column({ x: cell.x, size: line.size })) + cellText(cell);
    return text.trimEnd();
  };
  const body = lines.map((line) => (line ? row(line) : ""));
  const longest = Math.max(0, ...body.map((text) => /`+/.exec(text)?.[0].length ?? 0));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return [fence, ...body, fence].join("\n");
}

/** Lines put together as running text: a hyphenation is undone, and no space comes between two CJK characters. */
function joined(lines, { words }) {
  let text = "";
  for (const [at, line] of lines.entries()) {
    const next = line.cells.map((cell) => spansText(cell.spans).trim()).join(" ");
    if (at === 0) text = next;
    else if (isHyphenation(lineText(lines[at - 1]), lineText(line), words))
      text = text.replace(/[-\u00ad]$/, "") + next;
    else
      text +=
        CJK.test(/** @type {string} */ (text.at(-1))) && CJK.test(next[0] ?? "")
          ? next
          : /-$/.test(text)
            ? next
            : ` ${next}`;
  }
  return text.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim();
}

/** Joins a word cut at the end of a line, unless the document has it with this hyphen elsewhere. */
function isHyphenation(before, next, words) {
  const [, start] = /(\p{L}+)[-\u00ad]\s*$/u.exec(before) ?? [];
  const [, rest] = /^\s*(\p{Ll}+)/u.exec(next) ?? [];
  if (!start || !rest) return false;
  const [first, second] = [start.toLowerCase(), rest.toLowerCase()];
  return words.has(first + second) || !words.has(`${first}-${second}`);
}

function spansText(spans) {
  return spans
    .map(({ text, url }) => {
      if (!url) return escapeInline(text);
      if (text.trim() === url) return text.replace(url, () => `<${url}>`);
      const [, before, inner, after] = /** @type {RegExpExecArray} */ (/^(\s*)(.*?)(\s*)$/s.exec(text));
      return `${before}[${escapeInline(inner)}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)${after}`;
    })
    .join("");
}

/** Escapes Markdown markup, and nothing more: an underscore within a word may stay. */
function escapeInline(text) {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .replace(/(?:\s*\.){4,}\s*/g, " … ")
    .replace(/[\\`*]|<(?=[a-z/!?])|\](?=\()|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu, "\\$&")
    .replace(/&(?=#?\w+;)/g, "&amp;");
}

function escapeStart(text) {
  return text
    .replace(/^(#{1,6}(?=\s|$)|>|[+-](?=\s|$)|-{3,}|={3,}|~{3,})/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}
