import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, isSkillName } from "@skillwright/core";

/** Texts that stand for a message: `commands/write.md` is what `/write chapter 3` says. */
export interface UserCommands {
  /** Sorted. */
  readonly names: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** The command's text with `$ARGUMENTS` filled in; any other message comes back as it was. */
  expand(message: string): string;
}

/** The `.md` files of the folder; only the enabled ones where a list is given. A missing folder holds none. */
export async function userCommands(
  directory: string,
  enabled: readonly string[] | undefined,
): Promise<UserCommands> {
  const entries = await readdir(directory).catch(() => []);
  const found = entries.filter((entry) => entry.endsWith(".md")).map((entry) => entry.slice(0, -3));
  const wanted = found.filter((name) => isSkillName(name) && (enabled?.includes(name) ?? true)).sort();
  const texts = new Map<string, string>();
  for (const name of wanted)
    texts.set(name, withoutHeader(await readFile(join(directory, `${name}.md`), "utf8")));
  const missing = (enabled ?? []).filter((name) => !texts.has(name));
  return {
    names: [...texts.keys()],
    diagnostics: missing.map((name) => unknownCommand(name, directory)),
    expand: (message) => {
      const [, name = "", given = ""] = /^\/([a-z0-9-]+)(?:\s+([\s\S]*))?$/.exec(message.trim()) ?? [];
      const text = texts.get(name);
      if (text === undefined) return message;
      // As a function, because `$&` in what the user wrote is not a pattern.
      if (text.includes("$ARGUMENTS")) return text.replaceAll("$ARGUMENTS", () => given);
      return given ? `${text}\n\n${given}` : text;
    },
  };
}

function withoutHeader(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/^---\n[\s\S]*?\n---(\n|$)/, "")
    .trim();
}

function unknownCommand(name: string, directory: string): Diagnostic {
  return {
    code: "config.unknown-command",
    severity: "warning",
    message: `The enabled command "${name}" is not in ${directory}.`,
    hint: `Add ${name}.md there or take it out of enabledCommands.`,
  };
}
