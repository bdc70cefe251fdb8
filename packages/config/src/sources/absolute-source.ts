import { resolve } from "node:path";
import { skillSource } from "./skill-source.js";

/**
 * Returns the text of the same source with an absolute path. Addresses stay as they are.
 * @throws SkillError as `skillSource`.
 */
export function absoluteSource(text: string, cwd: string): string {
  const source = skillSource(text);
  if (source.kind === "folder" || source.kind === "archive") return resolve(cwd, source.path);
  if (source.kind === "mcp" && "command" in source)
    return `mcp+stdio:${absoluteCommand(source.command, cwd).map(written).join(" ")}`;
  if (source.kind !== "sqlite") return text;
  return `sqlite:${resolve(cwd, source.path)}${source.name === undefined ? "" : `#${source.name}`}`;
}

/** The words with absolute paths in place of those that begin with `./` or `../`. */
export function absoluteCommand(words: readonly string[], cwd: string): readonly string[] {
  return words.map((word) => (/^\.\.?\//.test(word) ? resolve(cwd, word) : word));
}

function written(word: string): string {
  return word.replace(/[%\s]/g, encodeURIComponent);
}
