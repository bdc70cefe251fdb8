import { type CatalogSkill, skillFields } from "@skillwright/core";

/** The names by which skills refer to the tool that runs commands: ours, and those of well-known clients. */
const RUNNING = /^(skill_run|bash|shell)(?:\((.*)\))?$/is;

/**
 * True where `allowed-tools` of the skill names the command: `Bash` or `skill_run` for any, `Bash(git log:*)` for
 * commands that begin with those words, `Bash(make test)` for exactly that one. In a compound command, each part must
 * be named; a command that cannot be parsed word by word matches no pattern.
 */
export async function isPreApproved(command: string, { frontmatter }: CatalogSkill): Promise<boolean> {
  const entries = skillFields(frontmatter)
    .allowedTools.map((entry) => RUNNING.exec(entry))
    .filter((found) => found !== null)
    .map((found) => found[2]);
  if (entries.some((pattern) => pattern === undefined || pattern.trim() === "*")) return true;
  const { readCommand } = await import("../policy/read-command.js");
  const reading = readCommand(command);
  if ("reason" in reading) return false;
  return reading.segments.every(({ words }) => entries.some((pattern) => fits(words, pattern ?? "")));
}

function fits(words: readonly string[], pattern: string): boolean {
  const beginning = pattern.replace(/(?::|\s)\*$/, "");
  const wanted = beginning.split(/\s+/);
  if (beginning !== pattern ? words.length < wanted.length : words.length !== wanted.length) return false;
  return wanted.every((word, index) => word === words[index]);
}
