import { expect, test } from "vitest";
import { HeadTailBuffer } from "../../src/runtime/head-tail-buffer.js";

function captured(limit: number, ...pieces: (string | Uint8Array)[]) {
  const buffer = new HeadTailBuffer(limit);
  for (const piece of pieces) buffer.append(Buffer.from(piece));
  return buffer.captured();
}

test("output that fits is kept unchanged", () => {
  expect(captured(10)).toEqual({ text: "", totalBytes: 0, truncated: false });
  expect(captured(10, "12345", "67890")).toEqual({ text: "1234567890", totalBytes: 10, truncated: false });
  expect(captured(3, "é", "x").text).toBe("éx");
});

test("keeps the first and the last part of longer output, with a line between them that counts the rest", () => {
  const { text, totalBytes, truncated } = captured(10, "abcdefgh", "ijkl", "mnopqrstuvwxyz");
  expect(text).toBe("abcde\n[... 16 bytes left out ...]\nvwxyz");
  expect({ totalBytes, truncated }).toEqual({ totalBytes: 26, truncated: true });
});

test("limits of 0 and 1 keep nothing and one byte", () => {
  expect(captured(0, "abc").text).toBe("\n[... 3 bytes left out ...]\n");
  expect(captured(1, "abc").text).toBe("a\n[... 2 bytes left out ...]\n");
  expect(captured(1, "a")).toEqual({ text: "a", totalBytes: 1, truncated: false });
});

test("OUT-07: a cut keeps whole characters, and the count is correct", () => {
  expect(captured(10, "€€€€€€").text).toBe("€\n[... 12 bytes left out ...]\n€");
  expect(captured(2, "€€€").text).toBe("\n[... 9 bytes left out ...]\n");
  expect(captured(8, "ab😀cd😀ef").text).toBe("ab\n[... 10 bytes left out ...]\nef");
});

test("bytes that are not text become replacement characters at a cut too", () => {
  const continuations = new Uint8Array(40).fill(0x80);
  expect(captured(16, continuations).text).toMatch(
    /^\ufffd+\n\[\.\.\. \d+ bytes left out \.\.\.\]\n\ufffd+$/,
  );
});

test("a caller may reuse its buffer", () => {
  const buffer = new HeadTailBuffer(4);
  const piece = new Uint8Array(2);
  for (const byte of "abcdefgh") buffer.append(piece.fill(byte.charCodeAt(0)));
  expect(buffer.captured().text).toBe("aa\n[... 12 bytes left out ...]\nhh");
});

test.each([1, 2, 3, 7, 1000])("splitting into pieces of %i bytes does not change the result", (size) => {
  const all = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251));
  const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.subarray(index * size, (index + 1) * size),
  );
  expect(captured(300, ...pieces)).toEqual(captured(300, all));
});
