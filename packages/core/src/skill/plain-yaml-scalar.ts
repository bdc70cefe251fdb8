import type { JsonValue } from "../json-value.js";

/** A value with its source text. The text is missing for a list or a map. */
export interface PlainValue {
  readonly value: JsonValue;
  readonly text: string | undefined;
  /** For a map: its scalars as written, by key. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Begins with a letter or a character without special meaning, so it is neither a number nor a YAML indicator. */
const TEXT = /^[A-Za-z(/$_\u00a1-\uffff]/;
/** Ends an unquoted text or begins a comment. */
const INDICATOR = /:(?: |$)| #/;
/** Words that are not text in some version of YAML. */
const WORD = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,8})$/;
const DECIMAL = /^(?:0|[1-9][0-9]{0,5})\.[0-9]{1,6}$/;
/** Such as `1.2.3` and `2024.1.2-rc`. */
const VERSION = /^[0-9]{1,4}\.[0-9]{1,4}\.[0-9][A-Za-z0-9.-]*$/;

/**
 * Parses a text, number or boolean on one line, without surrounding spaces; `undefined` where a full YAML parser is
 * needed.
 */
export function plainScalar(written: string): PlainValue | undefined {
  const first = written[0];
  if (first === '"' || first === "'") return quoted(written, first);
  if (INDICATOR.test(written)) return undefined;
  if (written === "true" || written === "false") return { value: written === "true", text: written };
  if (TEXT.test(written)) return WORD.test(written) ? undefined : { value: written, text: written };
  if (VERSION.test(written)) return { value: written, text: written };
  if (WHOLE_NUMBER.test(written) || DECIMAL.test(written)) return { value: Number(written), text: written };
  return undefined;
}

/** Parses a text that continues over several lines, without blank lines between them. */
export function plainText(lines: readonly string[]): PlainValue | undefined {
  const text = lines.filter((line) => line !== "").join(" ");
  if (!TEXT.test(text) || lines.some((line) => INDICATOR.test(line)) || INDICATOR.test(text))
    return undefined;
  return WORD.test(text) ? undefined : { value: text, text };
}

/** A quoted text that contains neither the quote nor a backslash. */
function quoted(written: string, quote: string): PlainValue | undefined {
  const end = written.length - 1;
  if (end < 1 || written.indexOf(quote, 1) !== end) return undefined;
  const text = written.slice(1, end);
  if (quote === '"' && text.includes("\\")) return undefined;
  return { value: text, text };
}
