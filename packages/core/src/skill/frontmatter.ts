import matter from "gray-matter";

/** SKILL.md in its two parts, as text. */
export interface SplitSkillFile {
  /** The YAML between the two lines of dashes, or `undefined` where there is none. */
  readonly header: string | undefined;
  /** True when there is an opening line and no closing one. */
  readonly unclosed: boolean;
  readonly body: string;
}

/**
 * Splits SKILL.md at its two `---` lines. A BOM is dropped and line ends become LF first.
 * This is the only use of gray-matter: by default it evaluates a `---js` header, shares its results between callers and
 * ends a header at any line that begins with three dashes; all three are shut here.
 */
export function splitFrontmatter(text: string): SplitSkillFile {
  const lines = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (!/^---[ \t]*(\n|$)/.test(lines)) return { header: undefined, unclosed: false, body: lines.trim() };
  const fenced = `${lines}\n`.replace(/^---[ \t]+\n/, "---\n").replace(/\n---[ \t]*\n/, "\n---\n");
  if (!/\n---\n/.test(fenced)) return { header: undefined, unclosed: true, body: lines.trim() };
  let header = "";
  const { content } = matter(fenced, {
    language: "yaml",
    delimiters: ["---", "---\n"],
    engines: { yaml: { parse: (yaml) => keep(yaml) }, javascript: { parse: refuse } },
  });
  return { header, unclosed: false, body: content.trim() };

  function keep(yaml: string): object {
    header = yaml.replace(/^\n/, "");
    return {};
  }
}

function refuse(): never {
  throw new Error("Frontmatter is never evaluated.");
}
