import { parseArgs } from "node:util";
import { InputError } from "./input-error.mjs";

export const HELP = `Converts the text of a PDF to Markdown.

  node scripts/convert.bundle.mjs FILE.pdf [options]

  --out PATH           where the Markdown goes (default: standard output)
  --pages LIST         pages to convert, e.g. 3 or 2-5 or 1,4-6,9- (default: all)
  --page-breaks KIND   comment (default), rule or none: what stands between two pages
  --keep-heads         keep lines that repeat at the top or bottom of the pages
  --help               this text

Exit code 0: converted. 2: the file or an option cannot be used; the message says what to do.
`;

const PAGE_BREAKS = ["comment", "rule", "none"];

/**
 * The checked command line. `pages(count)` returns the requested page numbers in a document of so many pages.
 *
 * @returns {any}
 */
export function readOptions(args) {
  const { values, positionals } = parse(args);
  if (values.help) return { help: true };
  if (positionals.length !== 1)
    throw new InputError(
      `Expected one PDF file, got ${positionals.length}.`,
      "Example: node scripts/convert.bundle.mjs inputs/report.pdf --out out/report.md",
    );
  if (!PAGE_BREAKS.includes(values["page-breaks"]))
    throw new InputError(
      `--page-breaks "${values["page-breaks"]}" is not known.`,
      `Use ${PAGE_BREAKS.join(", ")}.`,
    );
  return {
    file: positionals[0],
    out: values.out,
    pages: pageChooser(values.pages),
    pageBreaks: values["page-breaks"],
    keepHeads: values["keep-heads"],
  };
}

function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        out: { type: "string" },
        pages: { type: "string" },
        "page-breaks": { type: "string", default: "comment" },
        "keep-heads": { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (/** @type {any} */ error) {
    throw new InputError(error.message, "See --help.");
  }
}

function pageChooser(list) {
  if (list === undefined) return (count) => Array.from({ length: count }, (_, at) => at + 1);
  const ranges = list.split(",").map((part) => {
    const [, from, dash, to] = /^\s*(\d+)\s*(-)?\s*(\d+)?\s*$/.exec(part) ?? [];
    if (!from || (to && !dash))
      throw new InputError(`--pages "${list}" is not understood.`, "Write e.g. 3 or 2-5 or 1,4-6,9-.");
    return { from: Number(from), to: to ? Number(to) : dash ? Number.POSITIVE_INFINITY : Number(from) };
  });
  return (count) => {
    const inside = (page) => ranges.some(({ from, to }) => page >= from && page <= to);
    const chosen = Array.from({ length: count }, (_, at) => at + 1).filter(inside);
    if (chosen.length === 0)
      throw new InputError(`--pages "${list}" names no page of this document.`, `It has ${count} pages.`);
    return chosen;
  };
}
