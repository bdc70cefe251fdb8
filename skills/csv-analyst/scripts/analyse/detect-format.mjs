import { open } from "node:fs/promises";
import { rowParser } from "./csv-rows.mjs";
import { InputError } from "./input-error.mjs";

const SAMPLE_BYTES = 1 << 16;
const CANDIDATES = [",", ";", "\t", "|"];

/** Encoding, delimiter and decimal mark of a CSV file, from its first 64 KiB; what the user gave is not questioned. */
export async function detectFormat(path, given) {
  const bytes = await head(path);
  const encoding = given.encoding ?? encodingOf(bytes);
  refuseOtherFormats(path, bytes, encoding);
  const text = decode(bytes, encoding);
  if (text.trim() === "")
    throw new InputError(`${path} is empty.`, "Give a CSV file with a header line and rows.");
  const delimiter = given.delimiter ?? delimiterOf(text);
  const decimal = given.decimal ?? decimalOf(sampleRows(text, delimiter));
  return { encoding, delimiter, decimal };
}

async function head(path) {
  let file;
  try {
    file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (error.code === "ENOENT")
      throw new InputError(
        `There is no file ${path}.`,
        "Uploaded files are in inputs/; list them with: ls inputs",
      );
    if (error.code === "EISDIR") throw new InputError(`${path} is a directory.`, "Give the CSV file itself.");
    throw new InputError(`Cannot read ${path} (${error.code}).`, "Check the path and its permissions.");
  } finally {
    await file?.close();
  }
}

function encodingOf(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}

function refuseOtherFormats(path, bytes, encoding) {
  const start = bytes.subarray(0, 4).toString("latin1");
  if (start === "PK\u0003\u0004" || start === "\u00d0\u00cf\u0011\u00e0")
    throw new InputError(
      `${path} is a workbook, not a CSV file.`,
      "Save the sheet as CSV (UTF-8) and give that file.",
    );
  if (!encoding.startsWith("utf-16") && bytes.includes(0))
    throw new InputError(
      `${path} is not a text file.`,
      "Give a CSV file; for another text encoding use --encoding.",
    );
}

function decode(bytes, encoding) {
  try {
    return new TextDecoder(encoding).decode(bytes, { stream: true });
  } catch {
    throw new InputError(
      `The encoding "${encoding}" is not known.`,
      "Use utf-8, windows-1252, gb18030, shift_jis, ...",
    );
  }
}

/** The candidate that cuts the sample into the most rows as wide as the first one; a comma where none cuts at all. */
function delimiterOf(text) {
  const scored = CANDIDATES.map((delimiter) => {
    const rows = sampleRows(text, delimiter);
    const width = rows[0]?.cells.length ?? 0;
    const even = rows.filter((row) => row.cells.length === width).length / rows.length;
    return { delimiter, width, score: width > 1 ? even : 0 };
  });
  scored.sort((a, b) => b.score - a.score || b.width - a.width);
  return scored[0].score > 0 ? scored[0].delimiter : ",";
}

function sampleRows(text, delimiter) {
  const parser = rowParser(delimiter);
  const complete = parser.push(text);
  // The sample may end in the middle of a row, and with the wrong delimiter in the middle of a quote.
  return complete.length > 0 ? complete : parser.push("\n");
}

function decimalOf(rows) {
  let commas = 0;
  let points = 0;
  for (const { cells } of rows)
    for (const cell of cells) {
      if (/^[-+]?(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(cell)) commas++;
      else if (/^[-+]?\d*\.\d+$/.test(cell)) points++;
    }
  return commas > points ? "," : ".";
}
