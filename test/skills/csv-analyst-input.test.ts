import { describe, expect, it } from "vitest";
import { skillWorkspace } from "./skill-workspace.js";

const workspace = skillWorkspace("csv-analyst");

function analyse(content: string | Uint8Array, options = "") {
  workspace.input("given.csv", content);
  const run = workspace.run(
    `rm -f out/given.*; node scripts/analyse.mjs inputs/given.csv --out out/given.md ${options}`,
  );
  return { ...run, report: workspace.hasOutput("given.md") ? workspace.output("given.md") : "" };
}

describe("csv-analyst reads", () => {
  it("quoted cells that contain delimiters, quotes and line ends, with a byte order mark and CRLF", () => {
    const { code, report } = analyse(
      '\ufeffname,note,amount\r\n"Lee, Ann","said ""no""\r\ntwice",10\r\n"Lee, Ann",x,2.5\r\nBo,,1\r\nBo,,1\r\n',
      "--group-by name",
    );
    expect(code).toBe(0);
    expect(report).toContain("| Lee, Ann | 2 | 12.50 | 6.25 | 86.2 % |");
    expect(report).toContain("| note | text | 2 | 2 |");
    expect(report).toContain("**4** rows in **3** columns");
  });

  it.each([
    [
      "semicolons and decimal commas",
      "Ort;Betrag\nA;1.234,75\nA;0,50\nB;3,00\nB;1,00\n",
      "| A | 2 | 1,235.25 |",
    ],
    ["tabs", "place\tamount\nA\t1\nA\t2\nB, C\t4\nB, C\t4\n", "| A | 2 | 3 |"],
    ["lone carriage returns", "place,amount\rA,1\rA,2\rB,4\rB,4\r", "| A | 2 | 3 |"],
    ["currency signs and thousands", 'place,amount\nA,"$1,200.25"\nA,€3\nB,4\nB,4\n', "| A | 2 | 1,203.25 |"],
    ["negative numbers", "place,amount\nA,-5\nA,2\nB,4\nB,-4.5\n", "| A | 2 | -3.00 | -1.50 |  |"],
  ])("%s", (_, content, row) => {
    expect(analyse(content)).toMatchObject({ code: 0, report: expect.stringContaining(row) });
  });

  it("UTF-16 by its byte order mark, and another encoding by name", () => {
    const utf16 = Buffer.from("\ufeffOrt,amount\nKöln,1\nKöln,2\nUlm,3\nUlm,3\n", "utf16le");
    expect(analyse(utf16).report).toContain("| Köln | 2 | 3 |");
    const latin1 = Buffer.from("Ort,amount\nKöln,1\nKöln,2\nUlm,3\nUlm,3\n", "latin1");
    expect(analyse(latin1).stdout).toContain("give the right one with --encoding");
    expect(analyse(latin1, "--encoding windows-1252").report).toContain("| Köln | 2 | 3 |");
  });

  it("a file far larger than its memory, to the last row", () => {
    const lines = Array.from(
      { length: 400_000 },
      (_, at) => `K${at},${"ABCD"[at % 4]},${at % 100},"some text, quoted"`,
    );
    workspace.input("large.csv", `key,group,amount,note\n${lines.join("\n")}\n`);
    const { code, stdout } = workspace.run(
      "node --max-old-space-size=24 scripts/analyse.mjs inputs/large.csv",
    );
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("large.csv: 400,000 rows"),
    });
    expect(stdout).toContain("total amount: 19,800,000\n");
  });
});

describe("csv-analyst reports", () => {
  it("ragged rows, and continues", () => {
    const { code, stdout, report } = analyse("a,b,amount\nx,1,2\nx,1\ny,1,2,3,4\ny,1,2\n");
    expect(code).toBe(0);
    expect(stdout).toContain(
      "note: 1 row is shorter than the header; the cells not there count as missing (lines 3).",
    );
    expect(stdout).toContain(
      "note: 1 row is longer than the header; the cells beyond it were left out (lines 4).",
    );
    expect(report).toContain("**4** rows");
  });

  it("renamed headers, and cells that are not numbers", () => {
    const rows = Array.from({ length: 20 }, (_, at) => `x,${at},y`).join("\n");
    const { stdout } = analyse(`amount,amount,\n${rows}\nx,about 5,y\n`, '--value "amount (2)"');
    expect(stdout).toContain("there twice were named: amount (2), column 3");
    expect(stdout).toContain("note: amount (2): cells that are filled but no number: 1.");
    expect(stdout).toContain("note: 1 row is not in the totals");
  });

  it("that it draws no chart if nothing can be grouped", () => {
    const { code, stdout } = analyse("amount\n1\n2\n3\n");
    expect(code).toBe(0);
    expect(stdout).toContain("note: No chart");
    expect(workspace.hasOutput("given.svg")).toBe(false);
  });
});

describe("csv-analyst escapes cells that would break", () => {
  it("the report's tables or the chart", () => {
    const evil = '"</text><script>alert(1)</script> | `x` [y](z) &amp; # *b*"';
    const { report } = analyse(`group,amount\n${evil},1\n${evil},2\nplain,3\nplain,3\n`);
    expect(report).toContain(
      "\\</text\\>\\<script\\>alert(1)\\</script\\> \\| \\`x\\` \\[y\\](z) &amp;amp; \\# \\*b\\* | 2 |",
    );
    const chart = workspace.output("given.svg");
    expect(chart).not.toContain("<script");
    expect(chart.match(/</g)).toHaveLength(chart.match(/>/g)?.length ?? 0);
  });
});

describe("csv-analyst refuses with exit code 2, the reason and a remedy", () => {
  it.each([
    ["an empty file", "", "", "is empty. Give a CSV file"],
    ["white space", " \n\n", "", "is empty. Give a CSV file"],
    ["a header alone", "a,b\n", "", "has a header line and no rows. Give a file with at least one row"],
    [
      "an open quote",
      'a,b\n1,"2\n3,4\n',
      "",
      'opened in the row on line 2 is never closed. Add the missing "',
    ],
    [
      "an endless cell",
      `a,b\n1,"${"x".repeat(2 ** 21)}`,
      "",
      "on line 2 has a cell of more than 1 MiB. A closing quote",
    ],
    ["a workbook", "PK\u0003\u0004\u0000", "", "is a workbook, not a CSV file. Save the sheet as CSV"],
    ["a binary file", "a\u0000b", "", "is not a text file. Give a CSV file"],
    ["an unknown column", "a,b\n1,2\n", "--group-by c", 'there is no column "c". Columns: a, b.'],
    ["a text column as the value", "a,b\nx,2\n", "--value a", "holds text, not numbers. Number columns: b."],
    ["an unknown option", "a,b\n1,2\n", "--color", "See --help."],
    ["an unknown encoding", "a,b\n1,2\n", "--encoding klingon", "is not known. Use utf-8"],
    ["a chart as the report", "a,b\n1,2\n", "--out out/x.svg", "Give a path that ends in .md."],
    ["a folder that cannot be made", "a,b\n1,2\n", "--out inputs/given.csv/x.md", "Give a path below out/."],
  ])("%s", (_, content, options, message) => {
    const { code, stderr } = analyse(content, options);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(stderr.trimEnd(), "one line, no stack").not.toContain("\n");
    expect(workspace.hasOutput("given.md")).toBe(false);
  });

  it("a missing file, a directory, and no file at all", () => {
    const run = (args: string) => workspace.run(`node scripts/analyse.mjs ${args}`);
    expect(run("inputs/none.csv")).toMatchObject({ code: 2, stderr: expect.stringContaining("ls inputs") });
    expect(run("inputs")).toMatchObject({ code: 2, stderr: expect.stringContaining("is a directory") });
    expect(run("")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Example: node scripts/analyse.mjs"),
    });
    expect(run("--help")).toMatchObject({ code: 0, stdout: expect.stringContaining("--group-by") });
  });
});
