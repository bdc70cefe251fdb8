export interface Segment {
  /** The first line in the document, from 1. */
  line: number;
  heading: string;
  /** An estimate: one token for four characters. */
  tokens: number;
  text: string;
}

interface Section extends Segment {
  level: number;
}

/** Groups sections as `markdown-segment-translator` tells the model to, for documents in Latin letters. */
export function markdownSegments(document: string, budget: number): Segment[] {
  const segments: Segment[] = [];
  for (const { level, ...section } of sections(document)) {
    const current = segments.at(-1);
    const fits = current && tokensOf(current.text + section.text) <= budget;
    const newChapter = current && level <= 2 && current.tokens > budget / 2;
    if (!current || !fits || newChapter) segments.push(section);
    else {
      current.text += section.text;
      current.tokens = tokensOf(current.text);
    }
  }
  return segments;
}

/** A heading with the text that follows it; text before the first heading belongs to the first section. */
function sections(document: string): Section[] {
  const found: Section[] = [];
  let text = "";
  let open = "";
  const lines = document.match(/[^\n]*\n/g) ?? [];
  for (const [at, line] of lines.entries()) {
    const edge = at === 0 || open === "---" ? /^---/.exec(line)?.[0] : /^(`{3}|~{3})/.exec(line)?.[0];
    const [, marks = "", heading = ""] = (!open && /^(#{1,6}) (.*)\n$/.exec(line)) || [];
    if (edge && (open === "" || open === edge)) open = open ? "" : edge;
    const last = found.at(-1);
    if (marks) {
      found.push({
        line: last ? at + 1 : 1,
        heading,
        level: marks.length,
        tokens: 0,
        text: (last ? "" : text) + line,
      });
    } else if (last) last.text += line;
    else text += line;
  }
  for (const section of found) section.tokens = tokensOf(section.text);
  return found;
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
