import { expect, onTestFinished, test, vi } from "vitest";
import { toldRecord } from "../src/stream/told-record.js";

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
    const record = toldRecord(({ bytes }) => pieces.push(Buffer.from(bytes)));
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
