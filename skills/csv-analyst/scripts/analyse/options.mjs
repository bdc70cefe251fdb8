import { extname } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "./input-error.mjs";

export const HELP = `Reads a CSV file and writes a Markdown report and an SVG chart.

  node scripts/analyse.mjs FILE.csv [options]

  --out PATH          the report (default out/report.md); the chart is written beside it as .svg
  --group-by COLUMNS  columns to total by, separated by commas (default: up to three with few values)
  --value COLUMN      the number column to add up; a product such as "quantity*unit_price" or
                      "quantity*unit_price*(1-discount)" works too; "rows" counts rows
                      (default: an amount, else quantity times price, else another number column)
  --delimiter CHAR    comma, semicolon, tab, pipe, or one character (default: detected)
  --encoding NAME     e.g. windows-1252, gb18030, shift_jis (default: by byte order mark, else utf-8)
  --decimal MARK      point or comma (default: detected)
  --help              this text

Exit code 0: report written. 2: the file or an option cannot be used; the message says what to do.
`;

const DELIMITERS = { comma: ",", semicolon: ";", tab: "\t", pipe: "|", "\\t": "\t" };

/** The command line, checked. `chart` is the SVG's path: the report's with another ending. */
export function readOptions(args) {
  const { values, positionals } = parse(args);
  if (values.help) return { help: true };
  if (positionals.length !== 1)
    throw new InputError(
      `Expected one CSV file, got ${positionals.length}.`,
      "Example: node scripts/analyse.mjs inputs/orders.csv --out out/report.md",
    );
  const ending = extname(values.out);
  if (ending.toLowerCase() === ".svg")
    throw new InputError("--out names the report, not the chart.", "Give a path that ends in .md.");
  return {
    file: positionals[0],
    out: values.out,
    chart: `${ending ? values.out.slice(0, -ending.length) : values.out}.svg`,
    groupBy: values["group-by"]?.split(",").map((name) => name.trim()),
    value: values.value,
    delimiter: delimiter(values.delimiter),
    decimal: oneOf("--decimal", values.decimal, { point: ".", comma: ",", ".": ".", ",": "," }),
    encoding: values.encoding,
  };
}

function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        out: { type: "string", default: "out/report.md" },
        "group-by": { type: "string" },
        value: { type: "string" },
        delimiter: { type: "string" },
        encoding: { type: "string" },
        decimal: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new InputError(error.message, "See --help.");
  }
}

function delimiter(given) {
  if (given?.length === 1 && !'"\r\n'.includes(given)) return given;
  return oneOf("--delimiter", given, DELIMITERS);
}

function oneOf(option, given, known) {
  if (given === undefined) return undefined;
  if (Object.hasOwn(known, given)) return known[given];
  throw new InputError(`${option} "${given}" is not known.`, `Use one of: ${Object.keys(known).join(", ")}.`);
}
