import matter from "#gray-matter";
import { readPlainHeader } from "./plain-header.js";
import { excessOf, headerOf, readHeader, type SkillHeader } from "./read-header.js";

/** SKILL.md split into its two parts, with its header parsed. */
export interface Frontmatter {
  readonly header: SkillHeader;
  /** The YAML between the two lines of dashes, as written. */
  readonly yaml: string;
  /** The text after the header, trimmed; `""` where the header is too long to be read. */
  readonly body: string;
}

/**
 * Splits SKILL.md at its two `---` lines and parses the header. A BOM is dropped and line ends become LF first.
 * gray-matter gets the header alone: by default it evaluates a `---js` header, shares results between callers and ends a
 * header at any line that begins with three dashes.
 */
export function readFrontmatter(text: string): Frontmatter | "missing" | "unclosed" {
  const lines = (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text).replace(/^\ufeff/, "");
  if (!/^---[ \t]*(?:\n|$)/.test(lines)) return "missing";
  const closing = /\n---[ \t]*(?:\n|$)/.exec(lines);
  if (!closing) return "unclosed";
  const yaml = lines.slice(lines.indexOf("\n") + 1, closing.index);
  const excess = excessOf(yaml);
  if (excess) return { header: { unusable: excess }, yaml, body: "" };
  const plain = readPlainHeader(yaml);
  const header = plain ? headerOf(plain) : parsedHeader(yaml);
  return { header, yaml, body: lines.slice(closing.index + closing[0].length).trim() };
}

function parsedHeader(yaml: string): SkillHeader {
  const { data } = matter(`---\n${yaml}\n---\n`, {
    delimiters: ["---", "---\n"],
    engines: { yaml: readYaml },
  });
  // A header of comments only is not given to the engine.
  return (Object.keys(data).length > 0 ? data : readHeader("")) as SkillHeader;
}

function readYaml(block: string): SkillHeader {
  return readHeader(block.slice(1).replaceAll("\0", ""));
}
