import { createHash } from "node:crypto";
import { parseSkill, validateSkill } from "../../src/index.js";

/** The used part of an entry of the shared corpus' `expected.json`. */
export interface ExpectedSkill {
  readonly path: string;
  readonly spec: { readonly valid: boolean; readonly rules: readonly string[] };
  readonly lenient: {
    readonly loadable: boolean;
    readonly name: string | null;
    /** Very long texts are represented by length and hash. */
    readonly description: string | { readonly length: number; readonly sha256: string } | null;
    readonly repaired?: readonly string[];
  };
  readonly body?: { readonly sha256: string } | null;
}

/** One comparison: what was compared, and whether both sides agree. */
export type Comparison = readonly [subject: string, agrees: boolean];

/** Compares by the rules that the corpus gives: trimmed, NFKC for names, white space as one space in descriptions. */
export function compareWithExpected(content: Uint8Array, expected: ExpectedSkill): readonly Comparison[] {
  const directoryName = expected.path.split("/").at(-2) ?? "";
  const { skill } = parseSkill(content, { directoryName });
  const { lenient, spec } = expected;
  const rules = validateSkill(content, { directoryName }).filter(({ severity }) => severity === "error");
  const compared: Comparison[] = [
    ["loadable", (skill !== undefined) === lenient.loadable],
    ["strict verdict", (rules.length === 0) === spec.valid],
    ["strict rules", list(rules.flatMap(({ code }) => IN_ITS_WORDS[code] ?? [code])) === list(spec.rules)],
  ];
  if (!skill || !lenient.loadable) return compared;
  const kind = lenient.repaired?.length ? "repaired" : "as written";
  return [
    ...compared,
    [`name, ${kind}`, sameName(skill.name, lenient.name ?? "")],
    [`description, ${kind}`, sameDescription(skill.description, lenient.description ?? "")],
    ...(expected.body ? ([["body", sha256(skill.body) === expected.body.sha256]] as const) : []),
  ];
}

/** The corpus has the result of a reader that supports only UTF-8. */
const IN_ITS_WORDS: Readonly<Record<string, readonly string[]>> = {
  "encoding.utf-16": ["encoding.invalid-utf8", "frontmatter.missing"],
};

function list(codes: readonly string[]): string {
  return [...new Set(codes)].sort().join();
}

function sameName(ours: string, theirs: string): boolean {
  return printable(ours).normalize("NFKC") === printable(theirs).normalize("NFKC");
}

function sameDescription(
  ours: string,
  theirs: string | { readonly length: number; readonly sha256: string },
): boolean {
  return typeof theirs === "string"
    ? printable(ours) === printable(theirs)
    : [...ours].length === theirs.length && sha256(ours) === theirs.sha256;
}

function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the corpus compares without them
  const kept = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
  return kept.trim().replace(/\s+/g, " ");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
