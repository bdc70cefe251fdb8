import type { Diagnostic } from "../diagnostic.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";
import type { YamlEntry } from "./yaml-mapping.js";
import { readYamlMapping, type YamlReading } from "./yaml-mapping.js";
import { type YamlMistake, yamlMistake } from "./yaml-mistake.js";

/** Real headers have fewer than 50 entries. Each of these may cost a failed parse. */
const MAX_ENTRIES = 200;

/** What was recovered from a header that is not valid YAML. Positions are relative to the header. */
export interface RepairedHeader {
  readonly entries: readonly YamlEntry[];
  /** One for each entry that was guessed or left out. */
  readonly repairs: readonly Diagnostic[];
  /** The mistake in the first broken entry, if it is a common one; `key` names the entry. */
  readonly mistake?: (YamlMistake & { readonly key: string }) | undefined;
}

/**
 * Parses each outermost `key: value` separately. An entry that still fails keeps its raw text if there is some on the
 * line of its key (usually a value with an unquoted colon); otherwise it is left out. `undefined` for more than 200
 * entries.
 */
export function repairHeader(yaml: string, lineOffset: number): RepairedHeader | undefined {
  const found = rawEntries(yaml);
  if (found.length > MAX_ENTRIES) return undefined;
  const entries: YamlEntry[] = [];
  const repairs: Diagnostic[] = [];
  let first: RepairedHeader["mistake"];
  for (const raw of found) {
    const position = { line: raw.line, column: 1 };
    const read = readYamlMapping(raw.source);
    if (read.kind === "mapping") {
      entries.push(...read.entries.map((entry) => ({ ...entry, line: entry.line + raw.line - 1 })));
      continue;
    }
    const text = isText(read) ? rawValue(raw.source) : "";
    if (text !== "") entries.push({ key: raw.key, value: text, text, ...position });
    const mistake = yamlMistake(raw.source);
    if (repairs.length === 0 && mistake)
      first = { ...mistake, key: raw.key, line: mistake.line + raw.line - 1 };
    repairs.push(repairOf(raw, text !== "", mistake, { line: raw.line + lineOffset, column: 1 }));
  }
  return { entries, repairs, mistake: first };
}

interface RawEntry {
  readonly key: string;
  readonly source: string;
  readonly line: number;
}

function rawEntries(yaml: string): RawEntry[] {
  const entries: { key: string; lines: string[]; line: number }[] = [];
  for (const [index, line] of yaml.split("\n").entries()) {
    const key = /^(~|\w[\w.-]*)[ \t]*:(?=\s|$)/.exec(line)?.[1];
    if (key) entries.push({ key, lines: [line], line: index + 1 });
    else entries.at(-1)?.lines.push(line);
  }
  return entries.map(({ key, lines, line }) => ({ key, source: lines.join("\n"), line }));
}

/** A tag requests a type that is not supported, so the value is not the author's text. */
function isText(read: YamlReading): boolean {
  return read.kind === "invalid" && !/\btag\b/.test(read.reason);
}

function rawValue(source: string): string {
  const [first = "", ...rest] = source.split("\n").map((line) => line.trim());
  const value = first.replace(/^[^:]*:/, "").trim();
  if (value === "") return "";
  const joined = [value, ...rest].filter(Boolean).join(" ");
  return /^(["'])(.*)\1$/s.exec(joined)?.[2] ?? joined;
}

function repairOf(
  { key }: RawEntry,
  kept: boolean,
  mistake: YamlMistake | undefined,
  position: { line: number; column: number },
): Diagnostic {
  if (kept) {
    const message = `The value of "${key}" ${mistake?.what ?? "is not valid YAML"}; its text is used as written.`;
    const hint = mistake?.hint ?? "Put the value in double quotes.";
    return skillFileDiagnostic("yaml.repaired", "warning", message, hint, position);
  }
  return skillFileDiagnostic(
    "yaml.entry-dropped",
    "warning",
    `The field "${key}" ${mistake?.what ?? "is not valid YAML"}; it is left out.`,
    mistake?.hint ?? "Write it as `key: value`, indent the lines below it with spaces, and use no tags.",
    position,
  );
}
