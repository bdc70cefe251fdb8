import matter from "#gray-matter";

/** Longer headers are not read at all; real ones have a few hundred characters, and the longest known 9,618. */
export const MAX_HEADER_CHARACTERS = 100 * 1024;

/** SKILL.md in its two parts, as text. */
export interface SplitSkillFile {
  /** The YAML between the two lines of dashes, or `undefined` where there is none. */
  readonly header: string | undefined;
  /** True when there is an opening line and no closing one. */
  readonly unclosed: boolean;
  /** `""` below a header that is too long to be read. */
  readonly body: string;
}

/**
 * Splits SKILL.md at its two `---` lines. A BOM is dropped and line ends become LF first.
 * This is the only use of gray-matter: by default it evaluates a `---js` header, shares its results between callers and
 * ends a header at any line that begins with three dashes; all three are shut here.
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

/** What gray-matter would leave as it is; asking it takes as long as reading such a header. */
const PLAIN_LINES = /^(?:\n[A-Za-z ][^\n]*)+$/;

/**
 * gray-matter gets the header without the body, which it would copy, and as one line of ASCII: it looks for comments with
 * an expression that takes quadratic time over blank lines, where U+2028 and U+2029 end a line too.
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
