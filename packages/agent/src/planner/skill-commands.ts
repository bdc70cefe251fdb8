/** A command as a skill writes it, and the text that it belongs to. */
export interface SkillCommand {
  readonly code: string;
  readonly lead: string;
}

/** Fenced blocks marked as shell; where there are none, blocks without a language that look like a command. */
export function shellBlocks(text: string): readonly SkillCommand[] {
  const fences = /^([ \t]*)(`{3,}|~{3,})[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)\n?^[ \t]*\2[ \t]*$/gm;
  const blocks = [...text.matchAll(fences)].map((match) => ({
    language: (match[3] ?? "").toLowerCase(),
    code: withoutPrompts(match[4] ?? ""),
    lead: lastLine(text.slice(0, match.index)),
  }));
  const filled = blocks.filter(({ code }) => code !== "");
  const shell = filled.filter(({ language }) => /^(bash|sh|shell|console)$/.test(language));
  return shell.length > 0
    ? shell
    : filled.filter(({ language, code }) => language === "" && looksLikeCommand(code));
}

/** Complete commands inside lines of text or table cells, except those with placeholders or that only show help. */
export function writtenInline(text: string): readonly SkillCommand[] {
  const lines = text.split("\n").filter((line) => line.includes("`") && !/^\s*```/.test(line));
  return lines.flatMap((line) =>
    [...line.matchAll(/`([^`]+)`/g)]
      .map(([, code = ""]) => ({ code: code.trim(), lead: line }))
      .filter(({ code }) => looksLikeCommand(code) && !/--help|\.\.\.|…|<\w/.test(code)),
  );
}

function lastLine(text: string): string {
  return text.split("\n").findLast((line) => line.trim() !== "") ?? "";
}

/** Removes prompts, comments and indentation. */
function withoutPrompts(code: string): string {
  const lines = code.split("\n").map((line) => line.trim().replace(/^[$>]\s+/, ""));
  return lines.filter((line) => line !== "" && !line.startsWith("#")).join("\n");
}

function looksLikeCommand(code: string): boolean {
  return /^(node|python3?|sh|bash|npx|deno|ruby|perl|\.?\/\S+|scripts\/\S+)\s+\S/.test(code);
}
