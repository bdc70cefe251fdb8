const PRODUCTS = [
  { name: "Notebook A5, dotted", price: 6.9, weight: 18 },
  { name: "Fountain pen", price: 34.5, weight: 9 },
  { name: "Ink, midnight blue, 50 ml", price: 12.4, weight: 14 },
  { name: "Desk lamp, brass", price: 89, weight: 5 },
  { name: "Letter paper (100 sheets)", price: 15.8, weight: 11 },
  { name: "Wax seal set", price: 27.9, weight: 6 },
  { name: 'Folder "Archive" A4', price: 4.2, weight: 16 },
  { name: "Standing desk", price: 419, weight: 2 },
];
const REGIONS = [
  { name: "North", weight: 26 },
  { name: "South", weight: 19 },
  { name: "East", weight: 14 },
  { name: "West", weight: 23 },
  { name: "Overseas", weight: 8 },
];
const CUSTOMERS = [
  { name: "Private", weight: 58, most: 6 },
  { name: "Business", weight: 30, most: 40 },
  { name: "Public sector", weight: 12, most: 25 },
];
/** A quiet summer, a busy end of the year. */
const MONTHS = [30, 28, 31, 30, 27, 24, 18, 17, 34, 40, 56, 65].map((weight, at) => ({
  month: at + 1,
  weight,
}));

/** An invented year of a stationery shop's orders, the same for the same seed: some cells empty, some quoted. */
export function ordersCsv({ rows, seed }) {
  const random = randomSource(seed);
  const dates = Array.from({ length: rows }, () => date(random)).sort();
  const lines = dates.map((day, at) => {
    const product = pick(PRODUCTS, random);
    const customer = pick(CUSTOMERS, random);
    const quantity = 1 + Math.floor(random() ** 2 * customer.most * (product.price > 80 ? 0.25 : 1));
    const discount = quantity >= 20 ? 0.15 : quantity >= 10 ? 0.1 : random() < 0.12 ? 0.05 : 0;
    const cells = [
      `ORD-${10001 + at * 3}`,
      day,
      pick(REGIONS, random).name,
      product.name,
      String(quantity),
      (product.price * (day >= "2025-07-01" ? 1.04 : 1)).toFixed(2),
      String(discount),
      customer.name,
    ];
    if (random() < 0.02) cells[2] = "";
    if (random() < 0.01) cells[4] = "";
    if (random() < 0.03) cells[7] = "N/A";
    return cells;
  });
  const header = "order_id,order_date,region,product,quantity,unit_price,discount,customer_type".split(",");
  return [header, ...lines].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

function date(random) {
  const { month } = pick(MONTHS, random);
  const day = 1 + Math.floor(random() * new Date(Date.UTC(2025, month, 0)).getUTCDate());
  return `2025-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function pick(choices, random) {
  let left = random() * choices.reduce((sum, choice) => sum + choice.weight, 0);
  return choices.find((choice) => {
    left -= choice.weight;
    return left < 0;
  });
}

function quoted(cell) {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** mulberry32 */
function randomSource(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
