import { describe, expect, test } from "vitest";
import { containedPath, isContainedPath, SkillError } from "../src/index.js";

const outside: Readonly<Record<string, string>> = {
  "PATH-01: parents": "../../..",
  "PATH-01: a parent behind a folder": "a/../b",
  "PATH-02: absolute": "/etc",
  "PATH-03: a NUL before parents": "scripts\0/../../etc",
  "PATH-02: absolute into another tree": "/tmp/evil",
  "PATH-01: a name that is the parent": "..",
  "PATH-11: another skill's file": "../other-skill/SKILL.md",
  "parents with backslashes": "a\\..\\..\\b",
  "parents with both slashes": "..\\../b",
  "a drive": "C:\\Windows",
  "a drive without a slash": "c:file",
  "a network share as the web writes it": "//server/share",
};

const invalid: Readonly<Record<string, string>> = {
  empty: "",
  "the folder itself": ".",
  "a dot part": "a/./b",
  "an empty part": "a//b",
  "a slash at the end": "a/",
  "a backslash": "a\\b",
  "a network share": "\\\\server\\share",
  "PATH-03: a NUL": "a\0b",
  "a line break": "a\nb",
  "an escape sequence": "a\u001b[2Jb",
  "a C1 control": "a\u009bb",
  "PATH-09: decomposed letters": "cafe\u0301.txt",
  "half a surrogate pair": "a\ud800",
  "PATH-10: a part of 256 letters": "x".repeat(256),
  "PATH-10: a part of 256 bytes in 128 letters": "é".repeat(128),
  "PATH-10: 4,201 characters": `${"d/".repeat(2100)}f`,
};

const contained: Readonly<Record<string, string>> = {
  "a file": "SKILL.md",
  "a file in folders": "scripts/lib/a.py",
  "a hidden file": ".env",
  "dots in a name": "a..b/...",
  "spaces and quotes": `a b/"c" 'd'`,
  "any script": "データ/café/🙂.csv",
  "PATH-08: a percent sign is a percent sign": "a/%2e%2e/passwd",
  "a tilde is a name": "~/x",
  "a part of 255 bytes": "x".repeat(255),
  "a colon that names no drive": "ab:c",
};

describe("containedPath", () => {
  test.each(Object.entries(outside))("rejects %s with PATH_OUTSIDE", (_, path) => {
    expect(thrown(path)).toMatchObject({ code: "PATH_OUTSIDE", details: { path } });
    expect(isContainedPath(path)).toBe(false);
  });

  test.each(Object.entries(invalid))("rejects %s with PATH_INVALID", (_, path) => {
    expect(thrown(path)).toMatchObject({ code: "PATH_INVALID", details: { path } });
    expect(isContainedPath(path)).toBe(false);
  });

  test.each(Object.entries(contained))("accepts %s", (_, path) => {
    expect(containedPath(path)).toBe(path);
    expect(isContainedPath(path)).toBe(true);
  });

  test("messages are short, printable and say what to use instead", () => {
    for (const path of ["\u001b[31m/../x", `/${"y".repeat(5000)}`]) {
      const { message } = thrown(path);
      expect(message.length).toBeLessThan(400);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
      expect(message).not.toMatch(/[\u0000-\u001f]/);
      expect(message).toContain("Give a path below the folder");
    }
  });
});

function thrown(path: string): SkillError {
  try {
    containedPath(path);
  } catch (error) {
    if (SkillError.is(error)) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(path)} was let through`);
}
