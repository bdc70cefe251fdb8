import { exactSum, parseNumber } from "./numbers.mjs";

const MISSING = new Set(["", "na", "n/a", "nan", "null", "none"]);
const ISO_DATE =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?$/;
const YES_NO = new Set(["true", "false", "yes", "no"]);
const SHOWN_LENGTH = 200;

/** Whether a trimmed cell stands for no value. */
export const isMissing = (text) => text.length <= 4 && MISSING.has(text.toLowerCase());

/** `yyyy-mm-dd` of a cell that holds a date written year first, else undefined. */
export function dateOf(cell) {
  if (cell.length < 10) return undefined;
  const [, year, month, day] = ISO_DATE.exec(cell) ?? [];
  return year && month >= "01" && month <= "12" && day >= "01" && day <= "31"
    ? `${year}-${month}-${day}`
    : undefined;
}

/**
 * Gathers what there is to know of one column in bounded memory: `distinct` counts at most `maxDistinct` different
 * values, and the median comes from a sample once there are more than `maxNumbers` numbers.
 */
export function columnProfile(name, { decimal, maxDistinct, maxNumbers }) {
  const counts = new Map();
  const sum = exactSum();
  const numbers = [];
  const seen = { missing: 0, filled: 0, number: 0, whole: 0, date: 0, yesNo: 0 };
  const range = { min: Infinity, max: -Infinity, first: undefined, last: undefined };
  const random = randomSource();
  let overflow = false;

  const add = (cell) => {
    const text = cell.trim();
    if (isMissing(text)) return seen.missing++;
    seen.filled++;
    count(text);
    const number = parseNumber(text, decimal);
    if (number !== undefined) return addNumber(number);
    const date = dateOf(text);
    if (date) addDate(date);
    else if (text.length <= 5 && YES_NO.has(text.toLowerCase())) seen.yesNo++;
  };
  const count = (text) => {
    const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
    const before = counts.get(shown);
    if (before !== undefined) counts.set(shown, before + 1);
    // A copy: a slice would keep the whole piece of the file that it was cut from.
    else if (counts.size < maxDistinct) counts.set(Buffer.from(shown).toString(), 1);
    else overflow = true;
  };
  const addNumber = (number) => {
    seen.number++;
    if (Number.isInteger(number)) seen.whole++;
    sum.add(number);
    range.min = Math.min(range.min, number);
    range.max = Math.max(range.max, number);
    if (numbers.length < maxNumbers) numbers.push(number);
    else {
      const place = Math.floor(random() * seen.number);
      if (place < maxNumbers) numbers[place] = number;
    }
  };
  const addDate = (date) => {
    seen.date++;
    if (!range.first || date < range.first) range.first = date;
    if (!range.last || date > range.last) range.last = date;
  };

  const result = () => {
    const type = typeOf(seen, counts.size, overflow);
    const base = { name, type, missing: seen.missing, filled: seen.filled, distinct: counts.size, overflow };
    const top = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5);
    if (type === "date")
      return { ...base, top, min: range.first, max: range.last, unreadable: seen.filled - seen.date };
    if (type !== "number" && type !== "integer") return { ...base, top };
    return {
      ...base,
      top,
      min: range.min,
      max: range.max,
      sum: sum.value,
      mean: sum.value / seen.number,
      median: median(numbers),
      medianSampled: seen.number > maxNumbers,
      unreadable: seen.filled - seen.number,
    };
  };
  return { add, result };
}

/** A column is of a kind when nine in ten of its filled cells are. */
function typeOf(seen, distinct, overflow) {
  const mostly = (count) => count > 0 && count >= 0.9 * seen.filled;
  if (seen.filled === 0) return "empty";
  const unique = seen.filled > 20 && (overflow || distinct === seen.filled);
  const whole = seen.whole === seen.number;
  if (mostly(seen.date)) return "date";
  if (mostly(seen.yesNo)) return "yes/no";
  if (mostly(seen.number)) return whole ? "integer" : "number";
  return unique ? "unique text" : "text";
}

function median(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The same sequence in every run, so that a report is a function of its file (mulberry32). */
function randomSource() {
  let state = 0x2545f491;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
