import { language, texts } from "../texts/index.js";
import type { PluralForms } from "../texts/plural-forms.js";

// Numbers and dates are in the form of the browser's locale, which need not be the language of the texts.
const NUMBERS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const DATES = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const PLURALS = new Intl.PluralRules(language);
const AGO = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });

/** A whole number. */
export function numberInWords(number: number): string {
  return NUMBERS.format(number);
}

/** Returns the plural form for this number, with the number in it. */
export function count(number: number, forms: PluralForms): string {
  const form = forms[PLURALS.select(number)] ?? forms.other;
  return form.replace("#", () => numberInWords(number));
}

/** A size in the largest unit in which it is at least 1. Values below 100 have one decimal. */
export function bytesInWords(bytes: number): string {
  const units = texts.ui.byteUnits;
  let unit = 0;
  let value = bytes;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? numberInWords(value) : TENTHS.format(value)} ${units[unit]}`;
}

export function durationInWords(ms: number): string {
  const { milliseconds, seconds, minutes } = texts.ui;
  if (ms < 1000) return milliseconds(numberInWords(ms));
  if (ms < 60_000) return seconds(TENTHS.format(ms / 1000));
  return minutes(numberInWords(Math.floor(ms / 60_000)), numberInWords((ms % 60_000) / 1000));
}

/** How long ago the time was, or its date if that is more than a day. */
export function agoInWords(time: string): string {
  const seconds = (Date.now() - Date.parse(time)) / 1000;
  if (seconds < 60) return AGO.format(0, "second");
  if (seconds < 3600) return AGO.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return AGO.format(-Math.floor(seconds / 3600), "hour");
  return DATES.format(new Date(time));
}

/** How many tokens a model read and wrote. */
export function tokensInAndOut({
  inputTokens,
  outputTokens,
}: {
  readonly inputTokens: number;
  readonly outputTokens: number;
}): string {
  const { token, tokensInAndOut: both } = texts.ui;
  return both(count(inputTokens, token), count(outputTokens, token));
}
