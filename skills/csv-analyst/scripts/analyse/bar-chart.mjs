import { MISSING_GROUP } from "./group-totals.mjs";
import { decimalsFor, formatNumber } from "./numbers.mjs";
import { cutToWidth, textWidth } from "./text-width.mjs";

const MAX_BARS = 15;
const WIDTH = 860;
const TOP = 104;
const ROW = 34;
const BAR = 22;
const MARGIN = 32;
const INK = "#1f2933";
const SOFT = "#616e7c";
const GRID = "#e4e7eb";
const FILL = "#2f6f9f";
const FILL_BELOW = "#b4533c";
const FILL_MISSING = "#9aa5b1";

/**
 * A horizontal bar chart of the first group as a self-contained SVG text: title, formula, both axes named, the number
 * at each bar. Beyond fifteen bars the smallest are added up into one.
 */
export function barChart({ file, profile, totals, value }) {
  const [group] = totals.groups;
  const bars = barsOf(group.parts);
  const plot = layout(bars);
  const height = plot.bottom + 64;
  const title = `${value.label} by ${group.name}`;
  const about = [value.formula, `${file}, ${formatNumber(profile.rows)} rows`].filter(Boolean).join("  ·  ");
  const body = [
    text(MARGIN, 38, cutToWidth(title, 20, WIDTH - 2 * MARGIN), { size: 20, weight: 600 }),
    text(MARGIN, 62, cutToWidth(about, 13, WIDTH - 2 * MARGIN), { size: 13, fill: SOFT }),
    text(plot.left - 12, TOP - 6, cutToWidth(group.name, 12, plot.left - MARGIN - 12), {
      size: 12,
      fill: SOFT,
      anchor: "end",
      weight: 600,
    }),
    ...axis(plot, value.label),
    ...bars.flatMap((bar, at) => drawBar(bar, TOP + 8 + at * ROW, plot)),
    line(plot.x(0), TOP + 4, plot.x(0), plot.bottom, SOFT),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

function barsOf(parts) {
  if (parts.length <= MAX_BARS) return parts;
  const rest = parts.slice(MAX_BARS - 1);
  const total = rest.reduce((sum, part) => sum + part.total, 0);
  return [...parts.slice(0, MAX_BARS - 1), { key: `${formatNumber(rest.length)} others`, total }];
}

/** Where things go: names on the left as wide as they need (within bounds), room at both ends for the numbers. */
function layout(bars) {
  const decimals = decimalsFor(bars.map((bar) => bar.total));
  const widest = Math.max(...bars.map((bar) => textWidth(bar.key, 13)));
  const left = MARGIN + Math.min(Math.max(widest, 60), 230) + 14;
  const number = Math.max(...bars.map((bar) => textWidth(formatNumber(bar.total, decimals), 13))) + 14;
  const { low, high, ticks } = scale(bars.map((bar) => bar.total));
  const from = low < 0 ? left + number : left;
  const to = WIDTH - MARGIN - number;
  const x = (total) => from + ((total - low) / (high - low)) * (to - from);
  return { left, x, ticks, decimals, bottom: TOP + 8 + bars.length * ROW };
}

/** Round numbers that span the totals and zero: at most six steps of 1, 2, 2.5 or 5 times a power of ten. */
function scale(totals) {
  const min = Math.min(0, ...totals);
  const max = Math.max(0, ...totals);
  const span = max - min || 1;
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  const low = Math.floor(min / step + 1e-9) * step;
  const steps = Math.max(1, Math.ceil((max - low) / step - 1e-9));
  const ticks = Array.from({ length: steps + 1 }, (_, at) => Number((low + at * step).toPrecision(12)));
  return { low, high: low + steps * step, ticks };
}

function axis({ x, ticks, bottom }, label) {
  const parts = ticks.flatMap((tick) => [
    line(x(tick), TOP + 4, x(tick), bottom, GRID),
    text(x(tick), bottom + 20, shortNumber(tick), { size: 12, fill: SOFT, anchor: "middle" }),
  ]);
  const middle = (x(ticks[0]) + x(ticks.at(-1))) / 2;
  const name = cutToWidth(label, 12, x(ticks.at(-1)) - x(ticks[0]));
  return [...parts, text(middle, bottom + 44, name, { size: 12, fill: SOFT, anchor: "middle", weight: 600 })];
}

function drawBar({ key, total }, y, { left, x, decimals }) {
  const from = Math.min(x(0), x(total));
  const width = Math.max(Math.abs(x(total) - x(0)), 1);
  const below = total < 0;
  const end = below ? x(total) - 7 : x(total) + 7;
  const shade = key === MISSING_GROUP ? FILL_MISSING : below ? FILL_BELOW : FILL;
  return [
    text(left - 12, y + 16, cutToWidth(key, 13, left - MARGIN - 12), { size: 13, anchor: "end" }),
    `<rect x="${round(from)}" y="${y}" width="${round(width)}" height="${BAR}" rx="2" fill="${shade}"/>`,
    text(end, y + 16, formatNumber(total, decimals), { size: 13, anchor: below ? "end" : "start" }),
  ];
}

/** 12,000 as 12k, so that the numbers under the axis stay apart. */
function shortNumber(number) {
  const [size, unit] = [
    [1e12, "T"],
    [1e9, "B"],
    [1e6, "M"],
    [1e3, "k"],
  ].find(([least]) => Math.abs(number) >= least) ?? [1, ""];
  return `${Number((number / size).toPrecision(4))}${unit}`;
}

function text(x, y, content, { size, fill = INK, anchor = "start", weight = 400 }) {
  const style = `font-size="${size}" fill="${fill}" text-anchor="${anchor}" font-weight="${weight}"`;
  return `<text x="${round(x)}" y="${round(y)}" ${style}>${escapeXml(content)}</text>`;
}

function line(x1, y1, x2, y2, stroke) {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}"/>`;
}

const round = (number) => Math.round(number * 100) / 100;

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

function escapeXml(content) {
  return content
    .replace(/[\p{Cc}\ufffe\uffff\ud800-\udfff]/gu, " ")
    .replace(/[&<>"']/g, (char) => ENTITIES[char]);
}
