import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository, without a trailing slash. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

export const bundledSkills = readdirSync(`${root}/skills`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

export function skillFile(skill: string, path: string): string {
  return readFileSync(`${root}/skills/${skill}/${path}`, "utf8");
}

/** Every file of a skill, relative to its directory, with slashes. */
export function skillFiles(skill: string): string[] {
  return readdirSync(`${root}/skills/${skill}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(`${root}/skills/${skill}/`.length))
    .sort();
}

/**
 * The header of one of our own SKILL.md files, parsed strictly: one `key: value` a line, `metadata` with
 * indented ones. A quote, a list or a block in it is an error, so that every client parses it the same way.
 */
export function readFrontmatter(skill: string): {
  fields: Record<string, string>;
  metadata: Record<string, string>;
} {
  const [, header] = /^---\n([\s\S]*?)\n---\n/.exec(skillFile(skill, "SKILL.md")) ?? [];
  if (header === undefined) throw new Error(`${skill}: SKILL.md has no frontmatter.`);
  const fields: Record<string, string> = {};
  const metadata: Record<string, string> = {};
  for (const line of header.split("\n")) {
    const [, indent, key = "", value = ""] = /^( {2})?([\w.-]+):(?: ([^\s"'[{|>&*#].*))?$/.exec(line) ?? [];
    if (!key || /: | #/.test(value)) throw new Error(`${skill}: the header line "${line}" is not plain.`);
    (indent ? metadata : fields)[key] = value;
  }
  return { fields, metadata };
}

/** The part of the body below `## Example`. */
export function exampleSection(skill: string): string {
  return /\n## Example\n([\s\S]*?)(?=\n## |$)/.exec(skillFile(skill, "SKILL.md"))?.[1] ?? "";
}

/** The command of the example, or undefined for a skill without one. */
export function exampleCommand(skill: string): string | undefined {
  return /```bash\n([\s\S]*?)\n```/.exec(exampleSection(skill))?.[1];
}
