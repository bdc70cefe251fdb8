import { describe, expect, test } from "vitest";
import { numberedName, safeFileName } from "../src/upload/safe-file-name.js";

describe("names of uploads", () => {
  test.each([
    "C:\\tmp\\notes.txt",
    "../notes.txt",
    "notes.txt",
    "/a/b/notes.txt",
    "C:notes.txt",
    " notes.txt ",
  ])("INPUT-13: %j is notes.txt", (name) => {
    expect(safeFileName(name)).toBe("notes.txt");
  });

  test.each(["", "   ", ".", "..", "/", "a/..", "\u0000\u0007", "\\"])("INPUT-13: %j is upload", (name) => {
    expect(safeFileName(name)).toBe("upload");
  });

  test("control and direction characters are dropped, and the Unicode form is NFC", () => {
    expect(safeFileName("a\nb\u202egpj.exe")).toBe("abgpj.exe");
    expect(safeFileName("cafe\u0301.txt")).toBe("caf\u00e9.txt");
    expect(safeFileName("a\ud800b.txt")).toBe("ab.txt");
  });

  test("a long name is cut at 200 bytes at a whole character, and the extension is kept", () => {
    const name = safeFileName(`${"\u{1f600}".repeat(100)}.csv`);
    expect(name).toBe(`${"\u{1f600}".repeat(49)}.csv`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  });

  test.each([
    ["notes.txt", "notes_2.txt"],
    ["archive.tar.gz", "archive_2.tar.gz"],
    ["README", "README_2"],
    [".env", ".env_2"],
    ["a.b c", "a.b c_2"],
  ])("INPUT-14: the second %s is %s", (name, second) => {
    expect(numberedName(name, 1)).toBe(name);
    expect(numberedName(name, 2)).toBe(second);
  });
});
