import { isSkillName } from "@skillwright/core";

/** Texts that stand for a message: `commands/write.md` is what `/write chapter 3` says. */
export interface UserCommands {
  /** Sorted. */
  readonly names: readonly string[];
  /** The command's text with `$ARGUMENTS` filled in; any other message comes back as it was. */
  expand(message: string): string;
}

/** @param files The commands' files by name. A name that cannot be typed after a slash is left out. */
export function userCommands(files: ReadonlyMap<string, string>): UserCommands {
  const usable = [...files].filter(([name]) => isSkillName(name));
  const texts = new Map(usable.map(([name, text]) => [name, withoutHeader(text)]));
  return {
    names: [...texts.keys()].sort(),
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
