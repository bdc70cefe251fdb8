import { describe, expect, test } from "vitest";
import { inlineText } from "../src/collect/inline-text.js";
import { isTextType, listedMimeType, mimeTypeOf } from "../src/collect/mime-type.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("text that is given inline", () => {
  test("OUT-07: three characters of three bytes, cut at 5 and at 1 byte", () => {
    expect(inlineText(bytes("€€€").subarray(0, 5), true)).toBe("€");
    expect(inlineText(bytes("€€€").subarray(0, 1), true)).toBe("");
    expect(inlineText(bytes("€€€"), false)).toBe("€€€");
  });

  test("FILE-06: NUL and invalid UTF-8 are not text, cut or not", () => {
    expect(inlineText(bytes("a\0b"), false)).toBeUndefined();
    expect(inlineText(Uint8Array.of(0x61, 0xff, 0x62), true)).toBeUndefined();
    expect(inlineText(bytes("€").subarray(0, 2), false)).toBeUndefined();
  });

  test("a byte order mark is kept", () => {
    expect(inlineText(bytes("\ufeffa"), false)).toBe("\ufeffa");
  });
});

describe("types of files", () => {
  test.each([
    ["a.csv", "text/csv"],
    ["a.JSON", "application/json"],
    ["a.svg", "image/svg+xml"],
    ["a.ts", "text/x-typescript"],
    ["a.jsonl", "application/x-ndjson"],
    ["a.pdf", "application/pdf"],
    ["Makefile", "application/octet-stream"],
    ["a.constructor", "application/octet-stream"],
  ])("%s is listed as %s, without a charset", (path, type) => {
    expect(listedMimeType(path)).toBe(type);
  });

  test("a name without a known extension is judged by its first bytes", () => {
    expect(mimeTypeOf("out/Makefile", bytes("all:\n"))).toBe("text/plain");
    expect(mimeTypeOf("out/blob", Uint8Array.of(1, 0, 2))).toBe("application/octet-stream");
  });

  test("FILE-28: a fake image is not reported as one", () => {
    expect(mimeTypeOf("out/x.png", bytes("<script>alert(1)</script>"))).toBe("text/plain");
    expect(mimeTypeOf("out/x.png", Uint8Array.of(0, 1, 2))).toBe("application/octet-stream");
    expect(mimeTypeOf("out/x.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))).toBe(
      "image/png",
    );
  });

  test("text types are those whose content a model can read", () => {
    const readable = [
      "text/markdown",
      "application/json",
      "image/svg+xml",
      "application/x-ndjson",
      "application/toml",
    ];
    for (const type of readable) expect(isTextType(type)).toBe(true);
    for (const type of ["image/png", "application/pdf", "application/octet-stream"])
      expect(isTextType(type)).toBe(false);
  });
});
