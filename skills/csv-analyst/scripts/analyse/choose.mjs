import { InputError } from "./input-error.mjs";

const AMOUNT = [
  "total",
  "amount",
  "revenue",
  "sales",
  "turnover",
  "net",
  "gross",
  "sum",
  "value",
  "cost",
  "betrag",
  "umsatz",
];
const QUANTITY = ["quantity", "qty", "units", "pieces", "menge", "anzahl", "数量"];
const PRICE = ["price", "preis", "单价", "价格"];
const DISCOUNT = ["discount", "rebate", "rabatt", "折扣"];
const IDENTIFIER = ["id", "no", "nr", "number", "code", "key", "zip", "year", "month", "day", "编号"];

/** The columns to total by: those asked for, else up to three that sort the rows into a few groups. */
export function chooseGroups(profile, asked) {
  if (asked) return asked.map((name) => columnNamed(profile, name, "--group-by"));
  const fits = (column) =>
    isCategory(column) && column.distinct >= 2 && column.distinct <= Math.min(50, profile.rows / 2);
  const fitting = profile.columns.filter(fits);
  const easyToRead = fitting.filter((column) => column.distinct <= 12);
  return [...easyToRead, ...fitting.filter((column) => column.distinct > 12)]
    .slice(0, 3)
    .map((column) => column.name);
}

function isCategory(column) {
  return !column.overflow && (column.type === "text" || column.type === "yes/no");
}

/**
 * What to add up: `label`, `formula` (absent for a plain column), `guessed`, and `factors`, the columns whose numbers
 * are multiplied (`complement` for 1 minus the number). No factors: the rows are counted.
 */
export function chooseValue(profile, asked) {
  if (asked !== undefined) return askedValue(profile, asked);
  const numbers = profile.columns.filter((column) => isNumber(column) && !saysOneOf(IDENTIFIER)(column));
  const price = numbers.find(saysOneOf(PRICE));
  const quantity = numbers.find((column) => saysOneOf(QUANTITY)(column) && column !== price);
  const amount = numbers.find(
    (column) => saysOneOf(AMOUNT)(column) && column !== price && column !== quantity,
  );
  if (amount) return { ...plain(amount.name), guessed: true };
  if (quantity && price) {
    const discount = numbers.find(
      (column) => saysOneOf(DISCOUNT)(column) && column.min >= 0 && column.max <= 1,
    );
    const factors = [{ column: quantity.name }, { column: price.name }];
    if (discount) factors.push({ column: discount.name, complement: true });
    return { label: "revenue", formula: formulaOf(factors), factors, guessed: true };
  }
  const other = quantity ?? numbers.find((column) => column !== price) ?? numbers[0];
  return other ? { ...plain(other.name), guessed: true } : { ...counting(), guessed: true };
}

/** Whether a column's name has one of the words: `unitPrice`, `unit_price` and `Unit price` all say "price". */
function saysOneOf(words) {
  return ({ name }) => {
    const said = name
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}]+/u);
    return said.some((word) => words.includes(word));
  };
}

function askedValue(profile, asked) {
  if (profile.columns.some((column) => column.name === asked)) return plain(numberColumn(profile, asked));
  if (asked.trim().toLowerCase() === "rows") return counting();
  const factors = asked.split("*").map((part) => {
    const [, complement] = /^\s*\(\s*1\s*-\s*(.+?)\s*\)\s*$/.exec(part) ?? [];
    return {
      column: numberColumn(profile, complement ?? part.trim()),
      ...(complement && { complement: true }),
    };
  });
  if (factors.length === 1 && !factors[0].complement) return plain(factors[0].column);
  return { label: formulaOf(factors), factors, guessed: false };
}

const plain = (name) => ({ label: name, factors: [{ column: name }], guessed: false });
const counting = () => ({ label: "rows", factors: [], guessed: false });

function formulaOf(factors) {
  return factors.map(({ column, complement }) => (complement ? `(1 − ${column})` : column)).join(" × ");
}

function isNumber({ type }) {
  return type === "number" || type === "integer";
}

function numberColumn(profile, wanted) {
  const name = columnNamed(profile, wanted, "--value");
  const column = profile.columns.find((candidate) => candidate.name === name);
  if (isNumber(column)) return name;
  const numbers = profile.columns.filter(isNumber).map((candidate) => candidate.name);
  throw new InputError(
    `--value: the column "${name}" holds ${column.type}, not numbers.`,
    numbers.length > 0 ? `Number columns: ${numbers.join(", ")}.` : 'Use "rows" to count rows.',
  );
}

/** The column of that name, exactly or, where only one fits, in another case. */
function columnNamed(profile, wanted, option) {
  const names = profile.columns.map((column) => column.name);
  if (names.includes(wanted)) return wanted;
  const similar = names.filter((name) => name.toLowerCase() === wanted.toLowerCase());
  if (similar.length === 1) return similar[0];
  throw new InputError(
    `${option}: there is no column "${wanted}".`,
    `Columns: ${names.slice(0, 40).join(", ")}.`,
  );
}
