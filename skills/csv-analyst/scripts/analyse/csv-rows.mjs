import { createReadStream } from "node:fs";
import { InputError } from "./input-error.mjs";

const FIELD_LIMIT = 1 << 20;

/**
 * The rows of a CSV file (RFC 4180, with any one-character delimiter and any line end), in batches as they are read:
 * `{ line, cells }`, where `line` is the row's first line in the file. Blank lines give no row.
 * Memory is that of one read, however large the file.
 */
export async function* csvRows(path, { delimiter, encoding }) {
  const parser = rowParser(delimiter);
  const decoder = new TextDecoder(encoding);
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const rows = parser.push(decoder.decode(bytes, { stream: true }));
    if (rows.length > 0) yield rows;
  }
  const last = [...parser.push(decoder.decode()), ...parser.end()];
  if (last.length > 0) yield last;
}

/** The same over text that arrives in pieces: `push(text)` gives the rows that became complete, `end()` the last one. */
export function rowParser(delimiter) {
  let rows = [];
  let cells = [];
  let field = "";
  let line = 1;
  let rowLine = 1;
  /** "start" of a field, "plain" text, "quoted" text, or just after a "quote" inside quoted text. */
  let state = "start";
  let quotedField = false;
  let afterReturn = false;

  const endField = () => {
    cells.push(field);
    field = "";
    state = "start";
  };
  const endRow = () => {
    endField();
    if (cells.length > 1 || cells[0] !== "" || quotedField) rows.push({ line: rowLine, cells });
    cells = [];
    quotedField = false;
    line += 1;
    rowLine = line;
  };
  const append = (text) => {
    if (field.length + text.length > FIELD_LIMIT)
      throw new InputError(
        `The row that starts on line ${rowLine} has a cell of more than 1 MiB.`,
        'A closing quote (") is probably missing there.',
      );
    field += text;
  };

  const push = (text) => {
    rows = [];
    let at = 0;
    while (at < text.length) {
      const char = text[at];
      if (state === "quoted") {
        const quote = text.indexOf('"', at);
        const part = text.slice(at, quote < 0 ? text.length : quote);
        append(part);
        line += lineEnds(part);
        at += part.length + 1;
        if (quote >= 0) state = "quote";
      } else if (state === "quote" && char === '"') {
        append('"');
        state = "quoted";
        at += 1;
      } else if (state === "start" && char === '"') {
        state = "quoted";
        quotedField = true;
        at += 1;
      } else if (char === delimiter) {
        endField();
        at += 1;
      } else if (char === "\n" || char === "\r") {
        // The two halves of CRLF may arrive in two reads.
        if (!(char === "\n" && afterReturn)) endRow();
        at += 1;
      } else {
        let stop = at + 1;
        while (stop < text.length && text[stop] !== delimiter && text[stop] !== "\n" && text[stop] !== "\r")
          stop++;
        append(text.slice(at, stop));
        state = "plain";
        at = stop;
      }
      afterReturn = char === "\r" && state === "start";
    }
    return rows;
  };

  const end = () => {
    rows = [];
    if (state === "quoted")
      throw new InputError(
        `The quote opened in the row on line ${rowLine} is never closed.`,
        'Add the missing " there.',
      );
    if (field !== "" || cells.length > 0 || quotedField) endRow();
    return rows;
  };
  return { push, end };
}

function lineEnds(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
