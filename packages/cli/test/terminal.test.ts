import { expect, test } from "vitest";
import { parseDuration } from "../src/run/parse-duration.js";
import { shellCommand } from "../src/run/shell-command.js";
import { formatBytes, formatDuration } from "../src/terminal/amounts.js";
import { cutToWidth, textWidth } from "../src/terminal/text-width.js";

test.each([
  ["abc", 3],
  ["技能", 4],
  ["한국", 4],
  ["🙂", 2],
  ["e\u0301", 1],
])("%s has a width of %i columns", (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test("cutting keeps whole characters within the width", () => {
  expect(cutToWidth("abcdef", 6)).toBe("abcdef");
  expect(cutToWidth("abcdef", 5)).toBe("abcd…");
  expect(cutToWidth("ab cdef", 4)).toBe("ab…");
  expect(cutToWidth("技能技能", 6)).toBe("技能…");
  expect(textWidth(cutToWidth("技能技能", 4))).toBeLessThanOrEqual(4);
});

test.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["30", 30_000],
  ["1.5m", 90_000],
  ["soon", undefined],
  ["-1s", undefined],
  ["1h", undefined],
])("the duration %s is %s ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test("several arguments are quoted for the shell, a single one is not", () => {
  expect(shellCommand(["a | b"])).toBe("a | b");
  expect(shellCommand(["node", "a b.mjs", "--x=1", "it's", ""])).toBe("node 'a b.mjs' --x=1 'it'\\''s' ''");
});

test("amounts are formatted for people", () => {
  expect([0, 9999, 10_240, 5 * 1024 ** 2, 3 * 1024 ** 4].map(formatBytes)).toEqual([
    "0 B",
    "9,999 B",
    "10.0 KiB",
    "5.0 MiB",
    "3.0 TiB",
  ]);
  expect([0.4, 999, 1500].map(formatDuration)).toEqual(["0 ms", "999 ms", "1.5 s"]);
});
