import { expect, test } from "vitest";
import { sourceWindow } from "../src/terminal/source-window.js";
import { textWidth } from "../src/terminal/text-width.js";

test.each([
  ["a short line", "name: Bad", 7, "name: Bad", "B"],
  ["tabs", "\tname:\tBad", 8, "    name:   Bad", "B"],
  ["wide characters", "技能: x", 5, "技能: x", "x"],
  ["characters of several units", "🙂🙂e\u0301 x", 8, "🙂🙂e\u0301 x", "x"],
  ["controls and direction marks", "\u001b[2J\u202ex", 6, "\\u{1b}[2J\\u{202e}x", "x"],
  ["what has no width", "a\u200bb", 3, "a\\u{200b}b", "b"],
])("the caret is below the position in %s", (_, line, column, text, character) => {
  const window = sourceWindow(line, column, 80);
  expect(window.text).toBe(text);
  expect(characterAt(window.text, window.caret ?? -1)).toBe(character);
});

test.each([
  ["at the beginning", 1],
  ["in the middle", 5000],
  ["near the end", 9998],
  ["behind the end", 99_999],
])("a line of any length is cut around a position %s", (_, column) => {
  const line = "ab cd 技能 ".repeat(1250);
  const { text, caret } = sourceWindow(line, column, 40);
  expect(textWidth(text)).toBeLessThanOrEqual(40);
  expect(text).toContain("…");
  expect(caret).toBeLessThan(40);
  if (column <= line.length) expect(characterAt(text, caret ?? -1)).toBe(line[column - 1]?.trim() || " ");
});

test("a short line is shown completely, including a position at its end", () => {
  expect(sourceWindow("x".repeat(40), 40, 40)).toEqual({ text: "x".repeat(40), caret: 39 });
  expect(sourceWindow("abc", 4, 40)).toEqual({ text: "abc", caret: 3 });
  expect(sourceWindow("abc", undefined, 40)).toEqual({ text: "abc" });
  expect(sourceWindow("", 1, 40)).toEqual({ text: "", caret: 0 });
});

test("only the surroundings of a position in a megabyte line are read", () => {
  const line = `${"x".repeat(500_000)}!${"e\u0301".repeat(500_000)}`;
  const { text, caret } = sourceWindow(line, 500_001, 60);
  expect(characterAt(text, caret ?? -1)).toBe("!");
  expect(text.length).toBeLessThan(200);
});

/** What a terminal shows from the left, up to that many columns. */
function characterAt(text: string, column: number): string {
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (width === column) return segment;
    width += textWidth(segment);
  }
  return "";
}
