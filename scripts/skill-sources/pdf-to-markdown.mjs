import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { documentLines } from "./pdf-to-markdown/document-lines.mjs";
import { InputError } from "./pdf-to-markdown/input-error.mjs";
import { HELP, readOptions } from "./pdf-to-markdown/options.mjs";
import { pageBlocks } from "./pdf-to-markdown/page-blocks.mjs";
import { withPdf } from "./pdf-to-markdown/pdf-on-node.mjs";
import { withoutRunningHeads } from "./pdf-to-markdown/running-heads.mjs";
import { measureText } from "./pdf-to-markdown/text-measures.mjs";
import { toMarkdown } from "./pdf-to-markdown/to-markdown.mjs";

async function main() {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return process.stdout.write(HELP);
  const { pages, total, notes } = await withPdf(await bytesOf(options.file), options.file, (pdf) =>
    documentLines(pdf, options.pages),
  );
  refuseTextless(options.file, pages);

  const { kept, left } = options.keepHeads ? { kept: pages, left: [] } : withoutRunningHeads(pages);
  const measures = measureText(kept);
  const blocks = kept.map((page) => ({ ...page, blocks: pageBlocks(page.lines, measures) }));
  const markdown = toMarkdown(blocks, measures, options.pageBreaks);
  await save(options.out, markdown);

  const summary = summaryLines(options, { total, blocks, left, notes, markdown });
  // Without an output file the document is written to standard output.
  (options.out ? process.stdout : process.stderr).write(`${summary.join("\n")}\n`);
}

async function bytesOf(path) {
  try {
    return new Uint8Array(await readFile(path));
  } catch (/** @type {any} */ error) {
    if (error.code === "ENOENT")
      throw new InputError(
        `There is no file ${path}.`,
        "Uploaded files are in inputs/; list them with: ls inputs",
      );
    if (error.code === "EISDIR") throw new InputError(`${path} is a directory.`, "Give the PDF file itself.");
    throw new InputError(
      `Cannot read ${path} (${error.code}).`,
      "Check the path, its permissions and its size.",
    );
  }
}

function refuseTextless(path, pages) {
  if (pages.some((page) => page.lines.length > 0)) return;
  throw new InputError(
    `${path} has no text layer on ${pages.length === 1 ? "its page" : `any of ${pages.length} pages`}: it is a scan or a drawing.`,
    "Run a text recognition (OCR) over it first and convert the result.",
  );
}

async function save(path, markdown) {
  if (!path) return process.stdout.write(markdown);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, markdown);
  } catch (/** @type {any} */ error) {
    throw new InputError(`Cannot write ${path} (${error.code ?? error.message}).`, "Give a path below out/.");
  }
}

function summaryLines({ file, out }, { total, blocks, left, notes, markdown }) {
  const count = (kind) =>
    blocks.reduce((sum, page) => sum + page.blocks.filter((block) => block.kind === kind).length, 0);
  const kinds = {
    heading: "headings",
    paragraph: "paragraphs",
    list: "lists",
    table: "tables",
    code: "code blocks",
  };
  const counts = Object.entries(kinds).map(([kind, name]) => `${name} ${count(kind)}`);
  const empty = blocks.filter((page) => page.lines.length === 0).map((page) => page.number);
  const letters = markdown.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const lines = [
    `${file}: ${blocks.length} of ${total} pages, ${letters} letters and digits`,
    counts.join(", "),
  ];
  if (empty.length > 0) lines.push(`note: no text on page ${empty.join(", ")} (a scan, a drawing or empty)`);
  for (const { text, count: times } of left)
    lines.push(
      `note: left out on ${times} pages as running head or foot: "${text}" (keep with --keep-heads)`,
    );
  for (const note of notes) lines.push(`note: ${note}`);
  if (out) lines.push(`wrote ${out}`);
  return lines;
}

main().catch((error) => {
  const expected = error instanceof InputError;
  process.stderr.write(expected ? `${error.message}\n` : `${error.stack}\n`);
  process.exitCode = expected ? 2 : 1;
});
