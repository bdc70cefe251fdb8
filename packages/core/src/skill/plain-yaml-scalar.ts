import type { JsonValue } from "../json-value.js";

/** A value with the text it was written as; the text is missing for a list and a map. */
export interface PlainValue {
  readonly value: JsonValue;
  readonly text: string | undefined;
  /** The scalars of a map as they were written, by key. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Begins with a letter or a sign without a meaning, so that it is no number and nothing that has an indicator. */
const TEXT = /^[A-Za-z(/$_\u00a1-\uffff]/;
/** What ends a text that is not quoted, or begins a comment. */
const INDICATOR = /:(?: |$)| #/;
/** Words that are no text in one version of YAML or another. */
const WORD = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,8})$/;
const DECIMAL = /^(?:0|[1-9][0-9]{0,5})\.[0-9]{1,6}$/;
/** Such as `1.2.3` and `2024.1.2-rc`. */
const VERSION = /^[0-9]{1,4}\.[0-9]{1,4}\.[0-9][A-Za-z0-9.-]*$/;

/** A text, a number or a truth value on one line, without spaces around it; `undefined` where it needs more than this to be read. */
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

/** A text that goes on over several lines, without an empty one between them. */
export function plainText(lines: readonly string[]): PlainValue | undefined {
  const text = lines.filter((line) => line !== "").join(" ");
  if (!TEXT.test(text) || lines.some((line) => INDICATOR.test(line)) || INDICATOR.test(text))
    return undefined;
  return WORD.test(text) ? undefined : { value: text, text };
}

/** One whose text has neither the quote nor a backslash in it. */
function quoted(written: string, quote: string): PlainValue | undefined {
  const end = written.length - 1;
  if (end < 1 || written.indexOf(quote, 1) !== end) return undefined;
  const text = written.slice(1, end);
  if (quote === '"' && text.includes("\\")) return undefined;
  return { value: text, text };
}
