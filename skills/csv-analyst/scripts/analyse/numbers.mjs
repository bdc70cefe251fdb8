/** Most cells are words: this tells them from numbers by their first characters. */
const MAY_BE_NUMBER = /^[-+.,$€£¥\s]{0,4}\d/;
const PLAIN = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const POINT = /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d{1,3})?$/;
const COMMA = /^[-+]?(?:\d{1,3}(?:[.\u00a0 ]\d{3})+|\d+)?(?:,\d+)?(?:[eE][-+]?\d{1,3})?$/;

/**
 * The number a cell holds, or undefined: thousands separators, a currency sign before or after, a percent sign after
 * (the number stays as written). Digits with leading zeros and digits beyond 15 are codes, not numbers.
 */
export function parseNumber(cell, decimal) {
  if (decimal === "." && PLAIN.test(cell)) return Number(cell);
  if (!MAY_BE_NUMBER.test(cell)) return undefined;
  const text = cell.replace(/^([-+]?)\s*[$€£¥]\s*/, "$1").replace(/\s*[$€£¥%]$/, "");
  if (!(decimal === "," ? COMMA : POINT).test(text) || !/\d/.test(text)) return undefined;
  if (/^[-+]?0\d/.test(text) || /\d{16}/.test(text)) return undefined;
  const plain =
    decimal === "," ? text.replace(/[.\u00a0 ]/g, "").replace(",", ".") : text.replaceAll(",", "");
  const number = Number(plain);
  return Number.isFinite(number) ? number : undefined;
}

/** A sum that does not gather rounding errors (Neumaier). */
export function exactSum() {
  let sum = 0;
  let lost = 0;
  return {
    add(number) {
      const next = sum + number;
      lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
      sum = next;
    },
    get value() {
      return sum + lost;
    },
  };
}

/**
 * A number for people: grouped thousands, as many decimals as asked; else none for whole numbers, two for others and
 * three significant digits below 1. Empty for no number.
 */
export function formatNumber(number, decimals) {
  if (number === undefined || Number.isNaN(number)) return "";
  if (Math.abs(number) >= 1e15) return number.toExponential(3);
  if (decimals === undefined && Math.abs(number) < 1) return String(Number(number.toPrecision(3)));
  const digits = decimals ?? (isWhole(number) ? 0 : 2);
  return number.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The decimals that suit numbers standing together: none where all are whole, else two; undefined where all are small. */
export function decimalsFor(numbers) {
  const given = numbers.filter((number) => number !== undefined);
  if (given.every(isWhole)) return 0;
  return given.some((number) => Math.abs(number) >= 1) ? 2 : undefined;
}

const isWhole = (number) => Math.abs(number - Math.round(number)) < 1e-9;

/** A part's share of all parts as a percentage with one decimal; empty where some are negative, as shares mislead then. */
export function formatShare(part, parts) {
  const whole = parts.reduce((sum, { total }) => (total < 0 ? Number.NaN : sum + total), 0);
  return whole > 0 ? `${((100 * part.total) / whole).toFixed(1)} %` : "";
}
