import { describe, expect, test } from "vitest";
import { shownLine, shownText } from "../src/adapter.js";

describe("text for a model or a terminal", () => {
  test.each([
    ["escape sequences", "\u001b[2Ja\u009b31mb\u0007", "\\u{1b}[2Ja\\u{9b}31mb\\u{7}"],
    ["a carriage return that writes over its line", "secret\rplain", "secret\\u{d}plain"],
    ["direction marks", "a\u202eb\u2066c\u200fd\u061ce", "a\\u{202e}b\\u{2066}c\\u{200f}d\\u{61c}e"],
    ["what has no width", "a\u200bb\u2060c\ufeffd\u00ade", "a\\u{200b}b\\u{2060}c\\u{feff}d\\u{ad}e"],
    ["tags", "a\u{e0041}\u{e0042}", "a\\u{e0041}\\u{e0042}"],
    ["runs of variation selectors", "a\ufe00\ufe01\ufe02", "a\\u{fe00}\\u{fe01}\\u{fe02}"],
    ["line separators and halves of characters", "a\u2028b\ud800", "a\\u{2028}b\\u{d800}"],
  ])("writes out %s", (_, given, shown) => {
    expect(shownText(given)).toBe(shown);
    expect(shownText(shown)).toBe(shown);
  });

  test.each([
    "tab\tand\nline ends\r\nstay",
    "family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}, heart \u2764\ufe0f",
    "flag \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "Persian \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Grüße, 日本語, \u{1f600}",
  ])("keeps %j", (text) => {
    expect(shownText(text)).toBe(text);
  });

  test("is on one line on request", () => {
    expect(shownLine("a\n\tb\r\n c\u0000")).toBe("a b c\\u{0}");
  });
});

test("every character is shown alike on a line that needs no care otherwise and on one that does", () => {
  for (let code = 1; code <= 0x1ffff; code++) {
    const character = String.fromCodePoint(code);
    for (const text of [`a${character}b`, `a${character} ${character}b`])
      if (shownLine(`\n${text}`) !== ` ${shownLine(text)}`) expect.unreachable(`U+${code.toString(16)}`);
  }
});
