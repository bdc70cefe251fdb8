import { resolve } from "node:path";
import { skillSource } from "./skill-source.js";

/**
 * Returns the text of the same source with an absolute path. Addresses stay as they are.
 * @throws SkillError as `skillSource`.
 */
export function absoluteSource(text: string, cwd: string): string {
  const source = skillSource(text);
  if (source.kind === "folder" || source.kind === "archive") return resolve(cwd, source.path);
  if (source.kind !== "sqlite") return text;
  return `sqlite:${resolve(cwd, source.path)}${source.name === undefined ? "" : `#${source.name}`}`;
}
