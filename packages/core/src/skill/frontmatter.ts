import matter from "#gray-matter";

/** Longer headers are not read. Real ones have a few hundred characters; the longest known has 9,618. */
export const MAX_HEADER_CHARACTERS = 100 * 1024;

/** SKILL.md split into its two parts, as text. */
export interface SplitSkillFile {
  /** The YAML between the two lines of dashes; `undefined` where there is none. */
  readonly header: string | undefined;
  /** True when there is an opening line and no closing one. */
  readonly unclosed: boolean;
  /** The text after the header; `""` where the header is too long to be read. */
  readonly body: string;
}

/**
 * Splits SKILL.md at its two `---` lines. A BOM is dropped and line ends become LF first. This is the only use of
 * gray-matter, which by default evaluates a `---js` header, shares its results between callers and ends a header at any
 * line that begins with three dashes; all three are disabled here.
 */
export function splitFrontmatter(text: string): SplitSkillFile {
  const lines = (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text).replace(/^\ufeff/, "");
  if (!/^---[ \t]*(\n|$)/.test(lines)) return { header: undefined, unclosed: false, body: lines.trim() };
  const closing = /\n---[ \t]*(?:\n|$)/.exec(lines);
  if (!closing) return { header: undefined, unclosed: true, body: lines.trim() };
  const header = lines.slice(lines.indexOf("\n"), closing.index);
  if (header.length > MAX_HEADER_CHARACTERS + 1) return { header, unclosed: false, body: "" };
  const body = lines.slice(closing.index + closing[0].length).trim();
  return { header: PLAIN_LINES.test(header) ? header.slice(1) : byGrayMatter(header), unclosed: false, body };
}

/** A header that gray-matter would return unchanged. Calling it would take as long as parsing such a header. */
const PLAIN_LINES = /^(?:\n[A-Za-z ][^\n]*)+$/;

/**
 * gray-matter gets the header as one line of ASCII, without the body, which it would copy. Its search for comments
 * takes quadratic time over blank lines, where U+2028 and U+2029 also end a line.
 */
function byGrayMatter(header: string): string {
  const line = Buffer.from(header.slice(1), "utf16le").toString("base64");
  const split = matter(`---\n${line}\n---\n`, {
    language: "yaml",
    delimiters: ["---", "---\n"],
    engines: { yaml: { parse: () => ({}) }, javascript: { parse: refuse } },
  });
  return Buffer.from(split.matter, "base64").toString("utf16le");
}

function refuse(): never {
  throw new Error("Frontmatter is never evaluated.");
}
