import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capturedOf, pieceFrom } from "@skillwright/supervisor";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outputReader } from "../src/recorded/recorded-output.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "skillwright-test-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function frame(offset: number, text: string): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(offset));
  head.writeUInt32LE(text.length, 8);
  return Buffer.concat([head, Buffer.from(text)]);
}

const add = (name: string, bytes: Uint8Array) => appendFileSync(join(directory, name), bytes);
const shown = (reader: ReturnType<typeof outputReader>) =>
  reader.next().map(({ stream, offset, bytes }) => `${stream} ${offset} ${Buffer.from(bytes).toString()}`);

test("reads both streams in the order of their offsets, and each piece once", () => {
  const reader = outputReader(directory);
  expect(shown(reader)).toEqual([]);
  add("stdout.0", frame(0, "ab"));
  add("stdout.0", frame(5, "fg"));
  add("stderr.0", frame(2, "cde"));
  writeFileSync(join(directory, "report"), "protocol 2\n");
  expect(shown(reader)).toEqual(["stdout 0 ab", "stderr 2 cde", "stdout 5 fg"]);
  add("stderr.0", frame(7, "h"));
  expect(shown(reader)).toEqual(["stderr 7 h"]);
  expect(shown(reader)).toEqual([]);
});

test("leaves an incomplete frame until it is complete", () => {
  const reader = outputReader(directory);
  const whole = frame(0, "abc");
  for (const cut of [5, 12, 14]) {
    writeFileSync(join(directory, "stdout.0"), whole.subarray(0, cut));
    expect(shown(reader)).toEqual([]);
  }
  writeFileSync(join(directory, "stdout.0"), whole);
  expect(shown(reader)).toEqual(["stdout 0 abc"]);
});

test("skips a segment that was removed, and counts it in the captured text", () => {
  const reader = outputReader(directory);
  add("stdout.0", frame(0, "head"));
  expect(shown(reader)).toEqual(["stdout 0 head"]);
  add("stdout.1004", frame(1004, "tail"));
  expect(shown(reader)).toEqual(["stdout 1004 tail"]);
  const captured = capturedOf(outputReader(directory).next(), "stdout", 8);
  expect(captured).toEqual({
    text: "head\n[... 1000 bytes left out ...]\ntail",
    totalBytes: 1008,
    truncated: true,
  });
  expect(capturedOf([], "stderr", 8)).toEqual({ text: "", totalBytes: 0, truncated: false });
});

test("cuts a piece at the offset from which it is read", () => {
  const piece = { stream: "stdout", offset: 10, position: 0, bytes: Buffer.from("abc") } as const;
  expect(pieceFrom(piece, 0)).toEqual({ stream: "stdout", offset: 10, bytes: new Uint8Array([97, 98, 99]) });
  expect(pieceFrom(piece, 12)).toEqual({ stream: "stdout", offset: 12, bytes: new Uint8Array([99]) });
  expect(pieceFrom(piece, 13)).toBeUndefined();
});
