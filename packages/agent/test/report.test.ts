import { expect, test } from "vitest";
import { report } from "../src/planner/report.js";

test("if a report is cut inside a table, the number of missing lines is a paragraph below the table and not a row of it", () => {
  const rows = Array.from({ length: 40 }, (_, row) => `| ${row} | x |`);
  const content = ["| row | value |", "| --- | --- |", ...rows].join("\n");
  const text = report({ exit_code: 0, output_files: [{ name: "out/report.md", content }] });
  expect(text).toMatch(/\| 13 \| x \|\n\n\.\.\. 26 more lines in the file$/);
});
