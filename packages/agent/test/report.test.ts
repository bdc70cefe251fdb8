import { expect, test } from "vitest";
import { report } from "../src/planner/report.js";

test("what follows the beginning of a report is a paragraph of its own, and no row of a table in which the beginning ends", () => {
  const rows = Array.from({ length: 40 }, (_, row) => `| ${row} | x |`);
  const content = ["| row | value |", "| --- | --- |", ...rows].join("\n");
  const text = report({ exit_code: 0, output_files: [{ name: "out/report.md", content }] });
  expect(text).toMatch(/\| 13 \| x \|\n\n\.\.\. 26 more lines in the file$/);
});
