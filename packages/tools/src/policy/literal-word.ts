import type { Word, WordPart } from "unbash";
import { type RefusedSyntax, refusedSyntax, UNDERSTOOD } from "./refused-syntax.js";

/** Returns the text that the program will receive, or the reason why it is not certain before bash runs. */
export function literalWord(word: Word): string | RefusedSyntax {
  const parts = word.parts ?? [];
  const refused = parts.map(partProblem).find((problem) => problem !== undefined);
  if (refused) return refused;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const control = /[\u0000-\u0008\u000b-\u001f\u007f]/.exec(word.text);
  if (control) return controlCharacter(control[0]);
  const active = activeSyntax(word);
  return active === undefined ? word.value : refusedSyntax(active, word.text);
}

/** Accepts only parts that no expansion changes. */
function partProblem(part: WordPart): RefusedSyntax | undefined {
  if (part.type === "Literal" || part.type === "SingleQuoted") return undefined;
  if (part.type === "DoubleQuoted") return part.parts.map(partProblem).find((one) => one !== undefined);
  const backTicks = part.type === "CommandExpansion" && part.text.startsWith("`");
  return refusedSyntax(backTicks ? "BackTicks" : part.type, part.text);
}

/**
 * A second check that does not rely on the parser: characters that bash may interpret and that are not escaped by a
 * backslash or quotes. It is stricter than bash, so that an unfinished pattern, `$[` and the syntax of later versions
 * of bash are refused as well.
 */
function activeSyntax({ parts, text }: Word): string | undefined {
  const open = withoutEscapes(
    parts ? parts.map((part) => (part.type === "Literal" ? part.text : QUOTED)) : [text],
  );
  const inDoubleQuotes = (parts ?? []).map((part) => (part.type === "DoubleQuoted" ? part.text : ""));
  if (/[$`]/.test(open) || /[$`]/.test(withoutEscapes(inDoubleQuotes))) return "SimpleExpansion";
  if (open.includes("\n")) return "LineBreak";
  if (/[*?[]/.test(open) && open !== "[") return "Glob";
  if (/^~|[=:]~/.test(open)) return "Tilde";
  const braces = open.slice(open.indexOf("{") + 1, Math.max(0, open.lastIndexOf("}")));
  return open.includes("{") && /,|\.\./.test(braces) ? "BraceExpansion" : undefined;
}

const QUOTED = "q";

/** A line break after a backslash is kept: it joins lines, which is not an escape. */
function withoutEscapes(texts: readonly string[]): string {
  return texts.join("").replace(/\\[^\n]/g, QUOTED);
}

function controlCharacter(character: string): RefusedSyntax {
  const code = character.charCodeAt(0).toString(16).padStart(2, "0");
  return { reason: `The command line contains the control character 0x${code}.`, hint: UNDERSTOOD };
}
