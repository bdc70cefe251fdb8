import { describe, expect, test } from "vitest";
import { escaped, escapedRows } from "../src/terminal/escaped-rows.js";

describe("a text that a person must review", () => {
  test.each([
    ["directions of writing", "a\u202eb\u2066c\u061c", "a\\u{202e}b\\u{2066}c\\u{61c}"],
    [
      "what has no width",
      "a\u200bb\u200dc\ufeffd\u00ade\u2060",
      "a\\u{200b}b\\u{200d}c\\u{feff}d\\u{ad}e\\u{2060}",
    ],
    ["controls", "a\u001b[2Jb\u0007c\u0085d\rE\tF\u009b1A", "a\\u{1b}[2Jb\\u{7}c\\u{85}d\\rE\\tF\\u{9b}1A"],
    ["tags and variations", "a\u{e0061}b\ufe0fc\u{e0100}", "a\\u{e0061}b\\u{fe0f}c\\u{e0100}"],
    [
      "fillers and blanks of other kinds",
      "a\u3164b\u00a0c\u2003d\u2800e",
      "a\\u{3164}b\\u{a0}c\\u{2003}d\\u{2800}e",
    ],
    ["line ends of Unicode", "a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
    ["lone surrogates and private characters", "a\ud800b\ue000", "a\\u{d800}b\\u{e000}"],
    ["marks that pile up", `e\u0301\u0302\u0303\u0304`, `e\u0301\u0302\u0303\\u{304}`],
  ])("has %s escaped", (_what, text, shown) => {
    expect(escaped(text)).toBe(shown);
  });

  test.each(["größe 1 €", "naïve e\u0301", "数据 表.csv", "a 'b' \"c\" $d \\n"])("keeps %s", (text) => {
    expect(escaped(text)).toBe(text);
  });

  const limits = { columns: 20, most: 5 };

  test("keeps its first and last rows and counts those between", () => {
    const text = Array.from({ length: 60 }, (_, line) => `line ${line}`).join("\n");
    expect(escapedRows(text, limits)).toEqual([
      "│ line 0",
      "│ line 1",
      "⋮ 56 lines hidden",
      "│ line 58",
      "│ line 59",
    ]);
  });

  test("shows the number of blank lines, so that they hide nothing", () => {
    expect(escapedRows(`echo hi${"\n".repeat(60)}rm -r ~${"\n \n".repeat(20)}true`, limits)).toEqual([
      "│ echo hi",
      "⋮ 59 blank lines",
      "│ rm -r ~",
      "⋮ 39 blank lines",
      "│ true",
    ]);
  });

  test("breaks a long line into rows that lose nothing and are no wider than the terminal", () => {
    const text = "one two three four 数据数据数据数据数据数据 five\u202e";
    const rows = escapedRows(text, { columns: 20, most: 50 });
    expect(rows.map((row) => row.slice(2)).join("")).toBe(escaped(text));
    expect(rows.map((row) => row[0]).join("")).toMatch(/^│┆+$/);
    for (const row of rows)
      expect(row.replace(/[\u1100-\uffff](?<![│┆])/g, "xx").length).toBeLessThanOrEqual(20);
  });

  test("cannot fake a row that counts hidden ones", () => {
    expect(escapedRows("⋮ 3 lines hidden\nRun it? [y/N] ", limits)).toEqual([
      "│ ⋮ 3 lines hidden",
      "│ Run it? [y/N] ",
    ]);
  });
});
