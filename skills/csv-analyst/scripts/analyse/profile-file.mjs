import { columnProfile } from "./column-profile.mjs";
import { csvRows } from "./csv-rows.mjs";
import { InputError } from "./input-error.mjs";

/**
 * What is in the file: `rows`, `columns` (see columnProfile) and what was odd: `short` and `long` rows with the line
 * numbers of the first of each, headers that had to be renamed, and characters that the encoding could not read.
 */
export async function profileFile(path, format) {
  let columns;
  let rows = 0;
  let unreadableText = false;
  const renamed = [];
  const short = { count: 0, lines: [] };
  const long = { count: 0, lines: [] };

  for await (const batch of csvRows(path, format)) {
    for (const { line, cells } of batch) {
      if (!columns) {
        columns = profilesOf(headers(cells, renamed), format.decimal);
        continue;
      }
      rows++;
      if (cells.length < columns.length) note(short, line);
      if (cells.length > columns.length) note(long, line);
      for (const [at, column] of columns.entries()) {
        const cell = cells[at] ?? "";
        column.add(cell);
        unreadableText ||= cell.includes("\ufffd");
      }
    }
  }
  if (!columns) throw new InputError(`${path} is empty.`, "Give a CSV file with a header line and rows.");
  if (rows === 0)
    throw new InputError(`${path} has a header line and no rows.`, "Give a file with at least one row.");
  return { rows, columns: columns.map((column) => column.result()), short, long, renamed, unreadableText };
}

function note(odd, line) {
  odd.count++;
  if (odd.lines.length < 5) odd.lines.push(line);
}

/** Headers made fit to name a column: none empty, none twice. */
function headers(cells, renamed) {
  const taken = new Set();
  return cells.map((cell, at) => {
    const wanted = cell.trim() || `column ${at + 1}`;
    let name = wanted;
    for (let next = 2; taken.has(name); next++) name = `${wanted} (${next})`;
    taken.add(name);
    if (name !== cell.trim()) renamed.push(name);
    return name;
  });
}

/** Wide files get less room a column, so that the whole stays within some tens of megabytes. */
function profilesOf(names, decimal) {
  const maxDistinct = Math.min(10_000, Math.ceil(500_000 / names.length));
  const maxNumbers = Math.min(200_000, Math.ceil(5_000_000 / names.length));
  return names.map((name) => columnProfile(name, { decimal, maxDistinct, maxNumbers }));
}
