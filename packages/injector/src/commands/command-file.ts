/**
 * Parses a command's file: its text without the header, and the two known header fields. They are read line by line and
 * not as YAML, in which a hint such as `[file] [language]` would be a broken list.
 */
export function commandFile(content: string): {
  readonly text: string;
  readonly description: string;
  readonly argumentHint: string | undefined;
} {
  const lines = content.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const [whole = "", header = ""] = /^---\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/.exec(lines) ?? [];
  const text = lines.slice(whole.length).trim();
  return {
    text,
    description: field(header, "description") ?? text.split("\n")[0]?.replace(/^#+\s*/, "") ?? "",
    argumentHint: field(header, "argument-hint"),
  };
}

function field(header: string, name: string): string | undefined {
  const prefix = `${name}:`;
  const line = header.split("\n").find((one) => one.startsWith(prefix));
  const value = line
    ?.slice(prefix.length)
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  return value || undefined;
}
