import { formatNumber, formatShare } from "./numbers.mjs";
import { notes } from "./report.mjs";

/** What is printed: the result in a few lines, then the files written. */
export function summaryLines(analysis) {
  const { file, profile, totals, value, written } = analysis;
  const lines = [`${file}: ${formatNumber(profile.rows)} rows, ${profile.columns.length} columns`];
  for (const column of profile.columns) lines.push(`  ${column.name}: ${column.type}${missing(column)}`);
  if (value.factors.length > 0) lines.push(`total ${nameOf(value)}: ${formatNumber(totals.total)}`);
  for (const { name, parts } of totals.groups) {
    const top = parts.slice(0, 3).map((part) => {
      const share = formatShare(part, parts);
      return `${part.key} ${formatNumber(part.total)}${share && ` (${share})`}`;
    });
    lines.push(`${value.label} by ${name}: ${top.join(", ")}${parts.length > 3 ? ", ..." : ""}`);
  }
  for (const note of notes(analysis)) lines.push(`note: ${note}`);
  for (const path of written) lines.push(`wrote ${path}`);
  return lines.map((line) => line.replace(/\p{Cc}/gu, " "));
}

function nameOf({ label, formula }) {
  return formula ? `${label} (${formula})` : label;
}

function missing({ missing: count }) {
  return count > 0 ? `, ${formatNumber(count)} missing` : "";
}
