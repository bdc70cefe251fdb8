import { dateOf, isMissing } from "./column-profile.mjs";
import { csvRows } from "./csv-rows.mjs";
import { exactSum, parseNumber } from "./numbers.mjs";

const MAX_GROUPS = 10_000;
const MAX_MONTHS = 36;
export const MISSING_GROUP = "(missing)";
export const REST_GROUP = "(all further values)";

/**
 * Adds the value up, in one pass: `total` over `counted` rows (`left`: rows where a factor has no number), `groups`
 * with their `parts` largest first, and `time`, the parts by month (by year beyond three years) of the first date
 * column, in order; undefined where there is no date column.
 */
export async function groupTotals(path, format, profile, { groups, value }) {
  const names = profile.columns.map((column) => column.name);
  const factors = value.factors.map(({ column, complement }) => ({ at: names.indexOf(column), complement }));
  const sorted = groups.map((name) => ({ name, at: names.indexOf(name), parts: new Map() }));
  const date = profile.columns.find((column) => column.type === "date");
  const time = date && { name: date.name, at: names.indexOf(date.name), parts: new Map() };
  const total = exactSum();
  let counted = 0;
  let left = 0;
  let header = true;

  for await (const batch of csvRows(path, format))
    for (const { cells } of batch) {
      if (header) {
        header = false;
        continue;
      }
      const number = rowValue(cells, factors, format.decimal);
      if (number === undefined) left++;
      else {
        counted++;
        total.add(number);
      }
      for (const { at, parts } of sorted) addTo(parts, groupOf(cells[at] ?? ""), number);
      if (time)
        addTo(time.parts, dateOf((cells[time.at] ?? "").trim())?.slice(0, 7) ?? MISSING_GROUP, number);
    }

  const largestFirst = (parts) => [...parts.values()].map(finished).sort((a, b) => b.total - a.total);
  return {
    total: total.value,
    counted,
    left,
    groups: sorted.map(({ name, parts }) => ({ name, parts: largestFirst(parts) })),
    time: time && { name: time.name, ...inOrder(time.parts) },
  };
}

/** The product of the row's factors; 1 for a row that is only counted; undefined where a cell holds no number. */
function rowValue(cells, factors, decimal) {
  let product = 1;
  for (const { at, complement } of factors) {
    const cell = (cells[at] ?? "").trim();
    const number = isMissing(cell) ? undefined : parseNumber(cell, decimal);
    if (number === undefined) return undefined;
    product *= complement ? 1 - number : number;
  }
  return product;
}

function groupOf(cell) {
  const text = cell.trim();
  if (isMissing(text)) return MISSING_GROUP;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function addTo(parts, key, number) {
  let part = parts.get(key);
  if (!part) {
    const kept = parts.size < MAX_GROUPS ? Buffer.from(key).toString() : REST_GROUP;
    part = parts.get(kept) ?? { key: kept, rows: 0, counted: 0, sum: exactSum() };
    parts.set(kept, part);
  }
  part.rows++;
  if (number === undefined) return;
  part.counted++;
  part.sum.add(number);
}

function finished({ key, rows, counted, sum }) {
  return { key, rows, counted, total: sum.value, average: counted > 0 ? sum.value / counted : undefined };
}

function inOrder(months) {
  const byYear = months.size > MAX_MONTHS;
  const parts = new Map();
  for (const part of months.values()) {
    const key = byYear && part.key !== MISSING_GROUP ? part.key.slice(0, 4) : part.key;
    const into = parts.get(key) ?? { key, rows: 0, counted: 0, sum: exactSum() };
    into.rows += part.rows;
    into.counted += part.counted;
    into.sum.add(part.sum.value);
    parts.set(key, into);
  }
  const ordered = [...parts.values()].map(finished).sort((a, b) => (a.key < b.key ? -1 : 1));
  return { unit: byYear ? "year" : "month", parts: ordered };
}
