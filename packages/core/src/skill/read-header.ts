import type { Diagnostic } from "../diagnostic.js";
import { visibleText } from "../visible-text.js";
import { type RepairedHeader, repairHeader } from "./repair-header.js";
import { type FilePosition, skillFileDiagnostic } from "./skill-file-diagnostic.js";
import { readYamlMapping, type YamlEntry, type YamlProblem } from "./yaml-mapping.js";

/** Longer headers are not read. Real ones have a few hundred characters; the longest known has 9,618. */
const MAX_HEADER_CHARACTERS = 100 * 1024;
/** Number of line ends, commas and opening brackets. Every value of a YAML collection needs one. */
const MAX_HEADER_MARKS = 2500;
/** White space in a row, for which gray-matter takes quadratic time. */
const MAX_WHITE_SPACE = 1000;

/** The header begins on the second line of SKILL.md. */
const LINES_BEFORE = 1;

export type SkillHeader =
  | {
      /** Entries by key, with positions in SKILL.md. */
      readonly entries: ReadonlyMap<string, YamlEntry>;
      /** Findings of a strict YAML reader that did not prevent parsing. */
      readonly strict: readonly Diagnostic[];
      /** Repairs and guesses that were needed to read it. */
      readonly repairs: readonly Diagnostic[];
    }
  /** The header cannot be used at all. */
  | { readonly unusable: Diagnostic };

/** Parses the fields between the two lines of dashes. Invalid YAML is parsed again entry by entry. */
export function readHeader(yaml: string): SkillHeader {
  const read = readYamlMapping(yaml);
  switch (read.kind) {
    case "empty":
      return { unusable: EMPTY };
    case "not-mapping":
      return { unusable: NOT_MAPPING };
    case "too-large":
      return { unusable: TOO_LARGE };
    case "mapping": {
      const twice = read.duplicate && duplicateKey(yaml, read.duplicate);
      return { ...usable(read.entries), strict: twice ? [twice] : [], repairs: twice ? [twice] : [] };
    }
    case "invalid":
      return repaired(read, repairHeader(yaml, LINES_BEFORE));
  }
}

/** The header with these entries, which needed no repair. */
export function headerOf(entries: readonly YamlEntry[]): SkillHeader {
  return { ...usable(entries), strict: [], repairs: [] };
}

/** Returns the error for a header that is too long to be parsed. */
export function excessOf(yaml: string): Diagnostic | undefined {
  if (yaml.length > MAX_HEADER_CHARACTERS || marksIn(yaml) > MAX_HEADER_MARKS) return TOO_LONG;
  if (yaml.length <= MAX_WHITE_SPACE) return undefined;
  return yaml.match(/\s+/g)?.some(({ length }) => length > MAX_WHITE_SPACE) ? TOO_LONG : undefined;
}

function marksIn(yaml: string): number {
  return yaml.match(/[\n\u2028\u2029,[{]/g)?.length ?? 0;
}

function repaired(problem: YamlProblem, saved: RepairedHeader | undefined): SkillHeader {
  if (!saved) return { unusable: TOO_LARGE };
  const { entries, repairs, mistake } = saved;
  const reason = mistake ? `the value of "${mistake.key}" ${mistake.what}` : problem.reason;
  const invalid = skillFileDiagnostic(
    "yaml.invalid",
    "error",
    `The header is not valid YAML: ${reason}.`,
    mistake?.hint ??
      "Write `key: value` lines, indent the lines below a key with spaces, and close every bracket.",
    inFile(mistake ?? problem),
  );
  if (entries.length === 0) return { unusable: invalid };
  return { ...usable(entries), strict: [invalid], repairs: [...repairs, ...duplicates(entries)] };
}

/** Finds duplicate keys in a header that was read entry by entry. */
function duplicates(entries: readonly YamlEntry[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return entries.flatMap(({ key, line, column }) => {
    if (seen.has(key)) return [duplicate(key, { line: line + LINES_BEFORE, column })];
    seen.add(key);
    return [];
  });
}

function usable(entries: readonly YamlEntry[]): { entries: ReadonlyMap<string, YamlEntry> } {
  const byKey = new Map<string, YamlEntry>();
  for (const entry of entries) byKey.set(entry.key, { ...entry, line: entry.line + LINES_BEFORE });
  return { entries: byKey };
}

function inFile({ line, column }: Pick<YamlProblem, "line" | "column">): {
  line: number | undefined;
  column: number | undefined;
} {
  return { line: line && line + LINES_BEFORE, column };
}

function duplicateKey(yaml: string, problem: YamlProblem): Diagnostic {
  const { line = 1, column = 1 } = problem;
  return duplicate(keyAt(yaml.split("\n")[line - 1]?.slice(column - 1) ?? ""), inFile(problem));
}

function duplicate(key: string, position: FilePosition): Diagnostic {
  const what = key === "" ? "A field" : `The field ${JSON.stringify(visibleText(key.slice(0, 80)))}`;
  const message = `${what} occurs in the header twice; the last one is used.`;
  return skillFileDiagnostic("yaml.duplicate-key", "warning", message, "Keep one of them.", position);
}

/** The key as written. */
function keyAt(line: string): string {
  const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([^:,{}[\]"']*))/.exec(line) ?? [];
  return (double ?? single ?? plain ?? "").trim();
}

const EMPTY = skillFileDiagnostic(
  "frontmatter.empty",
  "error",
  "The frontmatter is empty.",
  "Write `name: ...` and `description: ...` between the two lines of dashes.",
);
const NOT_MAPPING = skillFileDiagnostic(
  "frontmatter.not-mapping",
  "error",
  "The frontmatter is not a list of `key: value` lines.",
  "Write `name: ...` and `description: ...`, each on a line of its own.",
  { line: 2 },
);
const TOO_LONG = skillFileDiagnostic(
  "yaml.resource-limit",
  "error",
  `The frontmatter is longer than 100 Ki (${MAX_HEADER_CHARACTERS}) characters, or has more than ${MAX_HEADER_MARKS} line ends, commas and opening brackets, or more than ${MAX_WHITE_SPACE} spaces and line ends in a row.`,
  "Move long text below the closing `---`.",
);
const TOO_LARGE = skillFileDiagnostic(
  "yaml.resource-limit",
  "error",
  "The frontmatter contains too many values or levels after its aliases are expanded.",
  "Write out the values, without anchors and aliases.",
);
