import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exampleCommand, root } from "./bundled-skill.js";
import { skillWorkspace } from "./skill-workspace.js";
import { cjkPdf, lockedPdf, textPdf } from "./small-pdfs.js";

const workspace = skillWorkspace("pdf-to-markdown");
workspace.input("report.pdf", readFileSync(`${root}/skills/pdf-to-markdown/assets/sample.pdf`));
const example = exampleCommand("pdf-to-markdown") ?? "";
const run = workspace.run(example);

function convert(pdf: string | Uint8Array, options = "") {
  workspace.input("given.pdf", pdf);
  return workspace.run(`node scripts/convert.bundle.mjs inputs/given.pdf ${options}`);
}

describe("pdf-to-markdown on its sample", () => {
  const markdown = workspace.output("report.md");

  it("runs its example command and writes nothing into its own directory", () => {
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("3 of 3 pages");
    expect(run.stdout).toContain("headings 6, paragraphs 5, lists 2, tables 1, code blocks 1");
    expect(run.stdout).toContain("wrote out/report.md\n");
    expect(workspace.strayFiles()).toEqual([]);
  });

  it("derives the level of headings from their size", () => {
    expect(markdown.match(/^#+ .*/gm)).toEqual([
      "# Harbour Survey",
      "## Main findings",
      "## Depths by basin",
      "## How to repeat it",
      "### Steps",
      "## The correction",
    ]);
  });

  it("joins lines to paragraphs, undoes hyphenation but keeps real hyphens, and turns an address into a link", () => {
    expect(markdown).toContain(
      "\n\nThe harbour was surveyed from March to October 2025. This report tells what was measured,",
    );
    expect(markdown).toContain(
      "The measurements were taken at low tide, from a boat with a single-beam sounder.\n\n",
    );
    expect(markdown).toContain("published at <https://example.org/harbour/2025>\n\n");
  });

  it("turns bullets and numbers into lists, nested by their indent", () => {
    expect(markdown).toContain(
      [
        "- Two of fourteen moorings must be repaired at once:",
        "    - The chain of mooring 7 has worn to half its thickness, and the block below it has moved two metres to the east.",
        "    - Mooring 12 has lost its buoy.",
        "- The fairway is clear.",
      ].join("\n"),
    );
    expect(markdown).toMatch(/\n1\. Calibrate .*\n2\. Sail .*\n3\. Correct .*\n/);
  });

  it("turns aligned cells into a table, and monospaced lines into a code block", () => {
    expect(markdown).toContain(
      "| Basin | 2021 | 2025 | Change |\n| --- | --- | --- | --- |\n| Northern | 6.8 | 6.4 | -0.4 |",
    );
    expect(markdown).toContain("```\nfunction corrected(depth, tide) {\n  return depth - tide;\n}\n```");
  });

  it("escapes Markdown markup, and nothing else", () => {
    expect(markdown).toContain("A tide of 2 \\* 0.5 metres");
    expect(markdown).toContain("file_name is the gauge's log");
  });

  it("marks page breaks and removes running heads, with a note", () => {
    expect(markdown).toMatch(/<!-- page 2 -->[\s\S]*<!-- page 3 -->/);
    expect(markdown).not.toMatch(/Page \d of 3|Harbour Survey 2025/);
    expect(run.stdout).toContain('left out on 3 pages as running head or foot: "Page 1 of 3"');
    const kept = workspace.run(
      `${example.replace("report.md", "kept.md")} --keep-heads --page-breaks rule --pages 2-`,
    );
    expect(kept.stdout).toContain("2 of 3 pages");
    expect(workspace.output("kept.md")).toMatch(
      /^Harbour Survey 2025[\s\S]*Page 2 of 3\n\n---\n\n[\s\S]*Page 3 of 3/,
    );
  });

  it("gives the same bytes each time, and writes the document to standard output if no file is named", () => {
    const again = workspace.run("node scripts/convert.bundle.mjs inputs/report.pdf");
    expect(again.stdout).toBe(markdown);
    expect(again.stderr).toContain("3 of 3 pages");
  });
});

describe("pdf-to-markdown", () => {
  it("reads a Chinese document with a predefined character map, which it includes", () => {
    const { code, stdout } = convert(cjkPdf(["季度报告", "中文段落的第一行", "第二行在这里。"]));
    expect({ code, stdout }).toEqual({ code: 0, stdout: "# 季度报告\n\n中文段落的第一行第二行在这里。\n" });
  });

  it("names pages without text and converts the others", () => {
    const { code, stdout, stderr } = convert(textPdf(["Some words", ""]));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "Some words\n\n<!-- page 2 -->\n\n<!-- page 2 has no text -->\n",
    });
    expect(stderr).toContain("note: no text on page 2");
  });

  it("needs nothing outside itself: the single file runs without its skill", () => {
    workspace.input("report.pdf", readFileSync(`${root}/skills/pdf-to-markdown/assets/sample.pdf`));
    const ran = workspace.run(
      "cp scripts/convert.bundle.mjs work/alone.mjs && cd work && node alone.mjs inputs/report.pdf",
    );
    expect(ran).toMatchObject({ code: 0, stdout: workspace.output("report.md") });
    expect(ran.stderr).not.toMatch(/warn|canvas/i);
  });
});

describe("pdf-to-markdown refuses with exit code 2, the reason and a remedy", () => {
  it.each([
    [
      "a scan",
      textPdf([""]),
      "",
      "has no text layer on its page: it is a scan or a drawing. Run a text recognition (OCR)",
    ],
    ["a locked document", lockedPdf(), "", "is protected by a password. Ask for a copy saved without one."],
    ["another file", "hello", "", "is not a PDF, or a damaged one. Ask for the file again."],
    ["an empty file", "", "", "is not a PDF, or a damaged one. Ask for the file again."],
    [
      "pages that are not there",
      textPdf(["one"]),
      "--pages 5-6",
      "names no page of this document. It has 1 pages.",
    ],
    ["pages that are no numbers", textPdf(["one"]), "--pages two", "is not understood. Write e.g. 3 or 2-5"],
    ["an unknown page break", textPdf(["one"]), "--page-breaks x", "is not known. Use comment, rule, none."],
    ["an unknown option", textPdf(["one"]), "--color", "See --help."],
    [
      "a file that cannot be made",
      textPdf(["one"]),
      "--out inputs/given.pdf/x.md",
      "Give a path below out/.",
    ],
  ])("%s", (_, pdf, options, message) => {
    const { code, stdout, stderr } = convert(pdf, options);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
    expect(stderr.trimEnd(), "one line, no stack").not.toContain("\n");
  });

  it("a missing file, a directory, and no file at all", () => {
    const ran = (args: string) => workspace.run(`node scripts/convert.bundle.mjs ${args}`);
    expect(ran("inputs/none.pdf")).toMatchObject({ code: 2, stderr: expect.stringContaining("ls inputs") });
    expect(ran("inputs")).toMatchObject({ code: 2, stderr: expect.stringContaining("is a directory") });
    expect(ran("")).toMatchObject({ code: 2, stderr: expect.stringContaining("Expected one PDF file") });
    expect(ran("--help")).toMatchObject({ code: 0, stdout: expect.stringContaining("--page-breaks") });
  });
});
