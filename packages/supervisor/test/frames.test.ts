import { expect, test } from "vitest";
import { frameOf, frameReader } from "../src/stream/frames.js";

test("refuses a frame that is longer than the protocol allows, before its bytes arrive", () => {
  const head = Buffer.from("D\0\0\0\0\0\0\0\0", "latin1");
  head.writeUInt32LE(2 ** 23 + 1, 5);
  expect(() => frameReader()(head)).toThrow(expect.objectContaining({ code: "BACKEND_FAILED" }));
});

test("reads frames from pieces of any size", () => {
  const frames = [
    { kind: "S", channel: 1, bytes: Buffer.from("start") },
    { kind: "D", channel: 4_000_000_000, bytes: Buffer.alloc(70_000, "x") },
    { kind: "L", channel: 0, bytes: Buffer.alloc(0) },
  ];
  const all = Buffer.concat(frames.map(({ kind, channel, bytes }) => frameOf(kind, channel, bytes)));
  for (const size of [1, 7, 9, 10, 65_536, all.length]) {
    const read = frameReader();
    const found = [];
    for (let at = 0; at < all.length; at += size)
      for (const { kind, channel, bytes } of read(all.subarray(at, at + size)))
        found.push({ kind, channel, bytes: Buffer.from(bytes) });
    expect(found).toEqual(frames);
  }
});
