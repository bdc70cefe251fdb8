import { decimalsFor, formatNumber, formatShare } from "./numbers.mjs";

const TABLE_ROWS = 20;

/** The whole analysis as Markdown. Everything that comes from the file is escaped, so that no cell can break the page. */
export function markdownReport(analysis) {
  const { file, profile, totals, value, chart } = analysis;
  const sections = [
    `# Report on ${escapeMarkdown(file)}`,
    overview(analysis),
    chart && `![${escapeMarkdown(`${value.label} by ${totals.groups[0].name}`)}](${encodeURI(chart)})`,
    ...totals.groups.map((group) => groupSection(group, value)),
    totals.time && timeSection(totals.time, value),
    columnSection(profile),
    topSection(profile),
    noteSection(analysis),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

function overview({ profile, totals, value }) {
  const lines = [`- **${formatNumber(profile.rows)}** rows in **${profile.columns.length}** columns`];
  if (value.factors.length > 0) {
    const average =
      totals.counted > 0 ? `, ${formatNumber(totals.total / totals.counted)} a row on average` : "";
    const formula = value.formula ? ` (${escapeMarkdown(value.formula)})` : "";
    lines.push(
      `- **${escapeMarkdown(value.label)}**${formula}: **${formatNumber(totals.total)}** in total${average}`,
    );
  }
  for (const { name, parts } of totals.groups) {
    const [first] = parts;
    const share = formatShare(first, parts);
    const part = `${formatNumber(first.total)}${share ? `, ${share}` : ""}`;
    lines.push(`- Largest ${escapeMarkdown(name)}: **${escapeMarkdown(first.key)}** (${part})`);
  }
  return lines.join("\n");
}

function groupSection({ name, parts }, value) {
  const shown = parts.slice(0, TABLE_ROWS);
  const rows = shown.map((part) => [part.key, ...numbersOf(part, shown), formatShare(part, parts)]);
  const rest = parts.length - shown.length;
  const table = markdownTable([name, "rows", value.label, "average", "share"], rows);
  const cut = rest > 0 ? `\n\n${formatNumber(rest)} more values of this column are not listed.` : "";
  return `## ${escapeMarkdown(value.label)} by ${escapeMarkdown(name)}\n\n${table}${cut}`;
}

function timeSection({ name, unit, parts }, value) {
  const rows = parts.map((part) => [part.key, ...numbersOf(part, parts)]);
  const heading = `## ${escapeMarkdown(value.label)} by ${unit} (${escapeMarkdown(name)})`;
  return `${heading}\n\n${markdownTable([unit, "rows", value.label, "average"], rows)}`;
}

function numbersOf({ rows, counted, total, average }, column) {
  const totals = decimalsFor(column.map((part) => part.total));
  const averages = decimalsFor(column.map((part) => part.average));
  const shown = counted > 0 ? formatNumber(total, totals) : "";
  return [formatNumber(rows), shown, formatNumber(average, averages)];
}

function columnSection({ columns }) {
  const shown = (bound) => (typeof bound === "number" ? formatNumber(bound) : (bound ?? ""));
  const rows = columns.map((column) => [
    column.name,
    column.type,
    formatNumber(column.missing),
    column.overflow ? `over ${formatNumber(column.distinct)}` : formatNumber(column.distinct),
    shown(column.min),
    shown(column.max),
    formatNumber(column.mean),
    `${column.medianSampled ? "about " : ""}${formatNumber(column.median)}`,
  ]);
  const heads = ["column", "type", "missing", "different", "min", "max", "mean", "median"];
  return `## Columns\n\n${markdownTable(heads, rows, 2)}`;
}

function topSection({ columns }) {
  const rows = columns
    .filter((column) => column.top.length > 0 && column.top[0][1] > 1)
    .map(({ name, top }) => [
      name,
      top.map(([text, count]) => `${text} (${formatNumber(count)})`).join(", "),
    ]);
  return rows.length > 0 && `## Most frequent values\n\n${markdownTable(["column", "values"], rows, 2)}`;
}

function noteSection(analysis) {
  return `## How to read this\n\n${notes(analysis)
    .map((note) => `- ${escapeMarkdown(note)}`)
    .join("\n")}`;
}

/** What was guessed, left out or odd, one sentence each, in plain text. */
export function notes({ format, profile, totals, value, options }) {
  const names = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" };
  const mark = format.decimal === "," ? "comma" : "point";
  const separator = names[format.delimiter] ?? format.delimiter;
  const list = [`Read as ${format.encoding}, separated by ${separator}, decimal ${mark}.`];
  if (value.guessed)
    list.push(`The value "${value.label}" was chosen by the column names; choose another with --value.`);
  if (!options.groupBy && totals.groups.length > 0)
    list.push("The groups are the text columns with few different values; choose others with --group-by.");
  if (totals.groups.length === 0)
    list.push(
      "No chart: no text column has between 2 and 50 different values. Choose a column with --group-by.",
    );
  if (totals.left > 0)
    list.push(
      `${rowCount(totals.left)} not in the totals: a number for "${value.label}" is missing or not readable.`,
    );
  for (const column of profile.columns)
    if (column.unreadable > 0)
      list.push(
        `${column.name}: cells that are filled but no ${kind(column)}: ${formatNumber(column.unreadable)}.`,
      );
  list.push(...oddRows(profile));
  if (profile.columns.some((column) => column.medianSampled))
    list.push("A median marked as about comes from a sample of the column's numbers.");
  list.push("Cells that are empty or say NA, N/A, NaN, null or none count as missing.");
  return list;
}

function oddRows({ short, long, renamed, unreadableText }) {
  const list = [];
  const where = ({ count, lines }) => `lines ${lines.join(", ")}${count > lines.length ? ", ..." : ""}`;
  if (short.count > 0)
    list.push(
      `${rowCount(short.count)} shorter than the header; the cells not there count as missing (${where(short)}).`,
    );
  if (long.count > 0)
    list.push(
      `${rowCount(long.count)} longer than the header; the cells beyond it were left out (${where(long)}).`,
    );
  if (renamed.length > 0)
    list.push(`Headers that were empty or there twice were named: ${renamed.join(", ")}.`);
  if (unreadableText)
    list.push("Some characters are not valid in this encoding; give the right one with --encoding.");
  return list;
}

function kind({ type }) {
  return type === "date" ? "date" : "number";
}

function rowCount(count) {
  return count === 1 ? "1 row is" : `${formatNumber(count)} rows are`;
}

/** A table whose first `left` columns are text and the others numbers. */
function markdownTable(heads, rows, left = 1) {
  const line = (cells) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  const rule = `| ${heads.map((_, at) => (at < left ? "---" : "---:")).join(" | ")} |`;
  return [line(heads), rule, ...rows.map(line)].join("\n");
}

function escapeMarkdown(text) {
  return text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/[\\`*[\]<>|#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .trim();
}
