import { expect, test } from "vitest";
import { shownValue } from "../src/shown-value.js";

test("characters that are not visible are written out in a whole value, including property names", () => {
  expect(shownValue({ "\u202ea": ["\u001b", { b: "\u200b", c: 1, d: null }] })).toEqual({
    "\\u{202e}a": ["\\u{1b}", { b: "\\u{200b}", c: 1, d: null }],
  });
});
