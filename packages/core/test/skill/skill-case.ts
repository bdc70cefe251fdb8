import { expect, test } from "vitest";
import { type Diagnostic, type ParsedSkill, parseSkill, validateSkill } from "../../src/index.js";

/** One input with the expected results of the strict and the lenient parser. */
export interface SkillCase {
  /** What the case is about. */
  readonly title: string;
  /** Defaults to `d`. */
  readonly directory?: string;
  /** The header between two lines of dashes, with the body `B`; or the whole file as `text`. */
  readonly header?: string;
  readonly text?: string;
  /** Codes of the findings that make it invalid, sorted. */
  readonly strict: readonly string[];
  /** Codes of advice, which does not make it invalid. */
  readonly info?: readonly string[];
  /** The minimum result for a client, or `false`. */
  readonly loads: Partial<ParsedSkill> | false;
  /** Codes of the lenient parser's warnings, sorted, where they matter. */
  readonly warnings?: readonly string[];
}

export function testSkillCases(cases: readonly SkillCase[]): void {
  for (const wanted of cases)
    test(wanted.title, () => {
      const text = wanted.text ?? skillFile(wanted.header ?? "");
      const directoryName = wanted.directory ?? "d";
      const findings = validateSkill(text, { directoryName });
      expect(codes(findings, "error")).toEqual(wanted.strict);
      expect(codes(findings, "info")).toEqual(wanted.info ?? []);
      const read = parseSkill(text, { directoryName });
      if (wanted.loads) expect(read.skill).toMatchObject(wanted.loads);
      else expect(read.skill).toBeUndefined();
      expect(codes(read.diagnostics, "error").length > 0).toBe(wanted.loads === false);
      if (wanted.warnings) expect(codes(read.diagnostics, "warning")).toEqual(wanted.warnings);
    });
}

export function skillFile(header: string, body = "B"): string {
  return `---\n${header}\n---\n${body}\n`;
}

export function codes(diagnostics: readonly Diagnostic[], severity?: Diagnostic["severity"]): string[] {
  const found = diagnostics.filter((diagnostic) => !severity || diagnostic.severity === severity);
  return [...new Set(found.map((diagnostic) => diagnostic.code))].sort();
}
