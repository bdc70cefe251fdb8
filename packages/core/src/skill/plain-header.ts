import type { YamlEntry } from "./yaml-mapping.js";

/**
 * Reads a header of the simplest form, which most skills have: `key: text` lines, lists of words in brackets, blocks
 * after `>` and `|`, and maps of such lines one level deep. Returns what `readYamlMapping` would, in a tenth of the time,
 * and `undefined` for every header that is anything else or could be.
 */
export function readPlainHeader(yaml: string): readonly YamlEntry[] | undefined {
  const entries = new Map<string, YamlEntry>();
  const lines = yaml.split("\n");
  for (let at = 0; at < lines.length; ) {
    const line = at + 1;
    const [, key, written] = KEY_LINE.exec(lines[at++] as string) ?? [];
    if (key === undefined || NO_TEXT.test(key) || entries.has(key)) return undefined;
    const end = written === undefined || BLOCK.has(written) ? innerEnd(lines, at) : at;
    const inner = lines.slice(at, end);
    if (written === undefined) {
      const map = plainMap(inner);
      if (!map) return undefined;
      entries.set(key, { key, value: map, text: undefined, texts: { ...map }, line, column: 1 });
    } else {
      const value = end > at ? block(inner, written) : plainValue(written);
      if (value === undefined) return undefined;
      const text = typeof value === "string" ? value : undefined;
      entries.set(key, { key, value, text, line, column: 1 });
    }
    at = end;
  }
  return entries.size > 0 ? [...entries.values()] : undefined;
}

const BLOCK: ReadonlySet<string> = new Set([">", ">-", "|", "|-"]);
const KEY_LINE = /^([A-Za-z][\w-]{0,63}):(?: +(\S.*))?$/;
const INNER_LINE = /^( +)([A-Za-z][\w.-]{0,63}): +(\S.*)$/;
/** YAML reads these words as no text. */
const NO_TEXT = /^(?:null|true|false)$/i;
const VERSION = /^\d+\.\d+\.\d+$/;
const DOUBLE_QUOTED = /^"([^"\\]*)"$/;
const SINGLE_QUOTED = /^'([^']*)'$/;
const LETTER = /^\p{L}/u;
/** A colon that ends a key, a comment, a blank at the end. */
const NOT_PLAIN = /:(?: |$)| #| $/;
const WORDS = /^\[[A-Za-z][\w-]*(?:, ?[A-Za-z][\w-]*)*\]$/;
/** Neither control characters nor any that some reader takes for a line end. */
const NOT_PRINTABLE = /[^ -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

function plainValue(written: string): string | string[] | undefined {
  if (written.startsWith("[")) return words(written);
  return plainText(written);
}

function plainText(written: string): string | undefined {
  if (NOT_PRINTABLE.test(written)) return undefined;
  if (LETTER.test(written)) return NOT_PLAIN.test(written) || NO_TEXT.test(written) ? undefined : written;
  const quoted = DOUBLE_QUOTED.exec(written) ?? SINGLE_QUOTED.exec(written);
  return quoted ? quoted[1] : VERSION.exec(written)?.[0];
}

function words(written: string): string[] | undefined {
  if (!WORDS.test(written)) return undefined;
  const all = written.slice(1, -1).split(/, ?/);
  return all.some((word) => NO_TEXT.test(word)) ? undefined : all;
}

/** Lines that begin alike, each with text: no rule of YAML about blank and further indented lines applies. */
function block(lines: readonly string[], written: string): string | undefined {
  const indent = indentOf(lines[0] ?? "");
  if (lines.some((line) => indentOf(line) !== indent || indent < 0 || NOT_PRINTABLE.test(line)))
    return undefined;
  const text = lines.map((line) => line.slice(indent)).join(written.startsWith(">") ? " " : "\n");
  return written.endsWith("-") ? text : `${text}\n`;
}

/** -1 for a blank line. */
function indentOf(line: string): number {
  return line.search(/[^ ]/);
}

function innerEnd(lines: readonly string[], from: number): number {
  let end = from;
  while (lines[end]?.startsWith(" ")) end++;
  return end;
}

function plainMap(lines: readonly string[]): Record<string, string> | undefined {
  const map: [key: string, text: string][] = [];
  let indent: string | undefined;
  for (const line of lines) {
    const [, blank, key = "", written = ""] = INNER_LINE.exec(line) ?? [];
    indent ??= blank;
    const text = plainText(written);
    const isPlain = blank !== undefined && blank === indent && text !== undefined && !NO_TEXT.test(key);
    if (!isPlain || map.some(([other]) => other === key)) return undefined;
    map.push([key, text]);
  }
  return map.length > 0 ? Object.fromEntries(map) : undefined;
}
