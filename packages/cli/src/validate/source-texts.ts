import type { Diagnostic } from "@skillwright/core";
import type { LintedFile, LintFinding } from "@skillwright/lint";
import type { SourceText } from "./judged-skill.js";

export interface SourceTexts {
  /** For a finding about the form of SKILL.md: its line, or the linter's excerpt where that masks a secret. */
  own(finding: Diagnostic): SourceText | undefined;
  /** For a finding of the linter: only its excerpt. */
  linted(finding: LintFinding): SourceText | undefined;
}

/** @param skillFile SKILL.md, with its content where its lines may be shown. */
export function sourceTexts(
  files: readonly LintedFile[],
  linted: readonly LintFinding[],
  skillFile: { readonly fileName: string; readonly content: Uint8Array | undefined },
): SourceTexts {
  const { fileName, content } = skillFile;
  const lines = new Map<string, readonly string[]>();
  if (content) lines.set(fileName, linesOf(content));
  const masked = new Map(
    linted
      .filter(({ path, excerpt }) => path === fileName && excerpt?.includes("***"))
      .map(({ line, excerpt }) => [line, excerpt]),
  );
  return {
    own({ line, column }) {
      if (line === undefined) return undefined;
      const excerpt = masked.get(line);
      if (excerpt !== undefined) return { text: excerpt };
      const text = lines.get(fileName)?.[line - 1];
      return text === undefined ? undefined : { text, ...(column !== undefined && { column }) };
    },
    linted({ path, line, column, excerpt }) {
      if (excerpt === undefined || excerpt === "") return undefined;
      const whole = path === undefined || line === undefined ? "" : (linesIn(path)[line - 1] ?? "");
      const start = column === undefined ? -1 : startOf(excerpt, whole, column - 1);
      if (start === -1 || column === undefined) return { text: excerpt };
      return { text: excerpt, column: column - start };
    },
  };

  function linesIn(path: string): readonly string[] {
    const known = lines.get(path);
    if (known) return known;
    const content = files.find((file) => file.path === path)?.content ?? "";
    const found = linesOf(content);
    lines.set(path, found);
    return found;
  }
}

/** The offset of the excerpt in its line; -1 where the text before the position was masked or changed. */
function startOf(excerpt: string, line: string, place: number): number {
  for (let start = Math.max(0, place - excerpt.length); start < place; start++)
    if (excerpt.startsWith(line.slice(start, place))) return start;
  return line.slice(0, place).trim() === "" ? place : -1;
}

/** Consistent with positions: a BOM belongs to no line, and a CR alone ends one. */
function linesOf(content: string | Uint8Array): readonly string[] {
  const text = typeof content === "string" ? content : new TextDecoder().decode(content);
  return text.split(/\r\n|\r|\n/);
}
