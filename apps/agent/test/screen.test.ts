import { describe, expect, test } from "vitest";
import { formatBytes, formatDuration } from "../src/terminal/format.js";
import { printable } from "../src/terminal/printable.js";
import { screen } from "../src/terminal/screen.js";
import { textView } from "../src/terminal/text-view.js";

describe("the screen", () => {
  test("uses colours only on a terminal, and not where NO_COLOR is set", () => {
    expect(shown({ isTTY: true }, {}, (view) => view.line(view.colours.red("x")))).toBe(
      "\u001b[31mx\u001b[39m\n",
    );
    expect(shown({ isTTY: true }, { NO_COLOR: "1" }, (view) => view.line(view.colours.red("x")))).toBe("x\n");
    expect(shown({}, {}, (view) => view.line(view.colours.red("x")))).toBe("x\n");
  });

  test("a step is one line however narrow the terminal is; colours do not count and are closed", () => {
    const line = shown({ isTTY: true, columns: 8 }, {}, (view) =>
      view.line(`${view.colours.red("1234")}567890`),
    );
    expect(line).toBe("\u001b[31m1234\u001b[39m567…\n");
    expect(shown({ columns: 8 }, {}, (view) => view.line("1234567890"))).toBe("1234567890\n");
  });

  test("a terminal that reports 0 columns is treated as one of 80", () => {
    expect(shown({ isTTY: true, columns: 0 }, {}, (view) => view.prose("two words"))).toBe("two words\n");
  });

  test("prose is broken between words and indented; a path stays whole", () => {
    const text = shown({ isTTY: true, columns: 12 }, {}, (view) =>
      view.prose("  aa bb cc dd /a/long/path/here\nnext", 4),
    );
    expect(text).toBe("  aa bb cc\n    dd\n    /a/long/path/here\nnext\n");
  });

  test("an answer in pieces is broken between words on a terminal, and unchanged elsewhere", () => {
    const pieces = ["one tw", "o three\nfour", " five", " sixseveneight"];
    const write = (view: ReturnType<typeof screen>) => {
      const answer = textView(view);
      for (const piece of pieces) answer.write(piece);
      answer.end();
    };
    expect(shown({ isTTY: true, columns: 10 }, {}, write)).toBe("one two \nthree\nfour five \nsixseveneight");
    expect(shown({}, {}, write)).toBe(pieces.join(""));
  });

  test("the output of a command cannot move the cursor or set colours", () => {
    expect(printable("a\u001b[31m\u001b[2Jb\u001b]0;title\u0007\tc\r\nd\u009b1m\u202e")).toBe(
      "a\\u{1b}[2Jb\\u{1b}]0;title\\u{7}  c\nd\\u{9b}1m\\u{202e}",
    );
  });
});

test("sizes and times in a readable form", () => {
  expect([0, 999, 1000, 12_345, 999_960, 5_000_000_000].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "12.3 kB",
    "1.0 MB",
    "5.0 GB",
  ]);
  expect([0.4, 999, 1240, 125_000].map(formatDuration)).toEqual(["0 ms", "999 ms", "1.24 s", "2 min 5 s"]);
});

function shown(
  stream: { isTTY?: boolean; columns?: number },
  env: Record<string, string>,
  work: (view: ReturnType<typeof screen>) => void,
): string {
  let text = "";
  work(screen({ ...stream, write: (piece: string) => (text += piece) }, env));
  return text;
}
