import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { withinMemory } from "../../../test/memory/within-memory.js";
import {
  type ReceivedRecord,
  type ReceivedRecordOptions,
  receivedRecord,
} from "../src/stream/received-record.js";

const MESSAGE = 65_536;
const COUNT = 40;

/** What `follow` writes of a stream whose content comes in pieces of 1000 bytes, and the content. */
function flood() {
  const content = Buffer.from(Array.from({ length: MESSAGE * COUNT }, (_, index) => index % 251));
  const frames: Buffer[] = [];
  for (let at = 0; at < content.length; at += 1000) {
    const piece = content.subarray(at, at + 1000);
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(BigInt(at));
    head.writeUInt32LE(piece.length, 8);
    frames.push(head, piece);
  }
  const segment = Buffer.concat(frames);
  const told: Buffer[] = [];
  for (let at = 0; at < segment.length; at += MESSAGE) {
    const part = segment.subarray(at, at + MESSAGE);
    told.push(Buffer.from(`stdout.0 ${part.length}\n`), part, Buffer.from("scan\n"));
  }
  return { content, told: Buffer.concat([...told, Buffer.from("scan\nover\n")]) };
}

test.each([7, 1000, 16_384, 100_000])(
  "what a follower tells in parts of %i bytes is read whole, and copied no more than a few times",
  (size) => {
    const { content, told } = flood();
    const pieces: Buffer[] = [];
    const record = receivedRecord({ onPiece: ({ bytes }) => pieces.push(Buffer.from(bytes)) });
    const concat = Buffer.concat;
    let copied = 0;
    const spy = vi.spyOn(Buffer, "concat").mockImplementation((list, length) => {
      const joined = concat(list, length);
      copied += joined.length;
      return joined;
    });
    onTestFinished(() => spy.mockRestore());
    for (let at = 0; at < told.length; at += size) record.take(told.subarray(at, at + size));
    spy.mockRestore();
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    expect(record.isOver()).toBe(true);
    // Once when a message is complete, once with the rest of the piece before it, and what of a part belongs to the next message.
    expect(copied).toBeLessThan(4 * told.length);
  },
);

const MEBIBYTE = 1024 * 1024;

/** Sends segments with one piece each, with a scan after each or without scans. */
async function tellSegments(
  record: ReceivedRecord,
  { count, size, scans }: { count: number; size: number; scans: boolean },
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(BigInt(index * size));
    head.writeUInt32LE(size, 8);
    record.take(Buffer.concat([Buffer.from(`stdout.${index * size} ${12 + size}\n`), head]));
    record.take(Buffer.alloc(size, "a"));
    if (scans) record.take(Buffer.from("scan\n"));
    if (index % 100 === 0) await setImmediate();
  }
}

test("of 64 MiB that arrive without a scan, no more bytes wait than the limit allows, and none is lost", async () => {
  const most = 4 * MEBIBYTE;
  let end = 0;
  const onPiece: ReceivedRecordOptions["onPiece"] = ({ offset, bytes }) => {
    expect(offset).toBe(end);
    end += bytes.byteLength;
  };
  const record = receivedRecord({ onPiece, mostWaiting: () => most });
  const flood = { count: 64 * 16, size: MESSAGE, scans: false };
  await withinMemory(most + 2 * MEBIBYTE, () => tellSegments(record, flood));
  expect(end).toBeGreaterThanOrEqual(64 * MEBIBYTE - most);
  record.take(Buffer.from("over\n"));
  expect(end).toBe(64 * MEBIBYTE);
});

test("40,000 segments leave nothing in memory when they have been told", async () => {
  const record = receivedRecord({ onPiece: () => undefined });
  await withinMemory(2 * MEBIBYTE, () => tellSegments(record, { count: 40_000, size: 10, scans: true }));
  expect(record.isOver()).toBe(false);
});

test.each([
  ["a message that is too long", `stdout.0 ${2 ** 31}\n`],
  ["a line without an end", "a".repeat(10_000)],
  ["a report that is too long", `report 60000\n${"a".repeat(60_000)}`.repeat(20)],
])("%s is refused", (_, text) => {
  const record = receivedRecord({ onPiece: () => undefined });
  expect(() => record.take(Buffer.from(text))).toThrow(expect.objectContaining({ code: "BACKEND_FAILED" }));
});
