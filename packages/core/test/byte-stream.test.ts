import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type ByteSource, byteStream, readBytes, readText, SkillError } from "../src/index.js";

const sources: readonly [kind: string, source: () => ByteSource][] = [
  ["text", () => "añb"],
  ["a buffer", () => Buffer.from("añb")],
  [
    "a Node stream that cuts a letter",
    () => Readable.from([Buffer.from([0x61, 0xc3]), Buffer.from([0xb1, 0x62])]),
  ],
  ["a web stream", () => new Blob(["a", "ñb"]).stream() as unknown as ByteSource],
  ["a generator", () => pieces("a", "", "ñb")],
];

describe("byte sources", () => {
  test.each(sources)("%s can be read as a stream and as text", async (_, source) => {
    const read: Uint8Array[] = [];
    for await (const piece of byteStream(source())) read.push(piece);
    expect(Buffer.concat(read).toString()).toBe("añb");
    expect(await readText(source(), 4)).toBe("añb");
  });

  test("an empty source is empty", async () => {
    expect(await readBytes("", 0)).toEqual(new Uint8Array());
    expect(await readBytes(pieces(), 0)).toEqual(new Uint8Array());
  });

  test("one byte more than the limit is LIMIT_EXCEEDED, and no more is read", async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given++;
        yield new Uint8Array(10);
      }
    }
    const failure = await readBytes(endless(), 25).catch((error: unknown) => error);
    expect(SkillError.is(failure, "LIMIT_EXCEEDED")).toBe(true);
    expect(failure).toMatchObject({ details: { limit: 25 } });
    expect(given).toBe(3);
    expect(await readBytes(new Uint8Array(25), 25)).toHaveLength(25);
  });

  test("closes a source that is not read to its end", async () => {
    let closed = false;
    async function* source() {
      try {
        yield new Uint8Array(10);
        yield new Uint8Array(10);
      } finally {
        closed = true;
      }
    }
    await readBytes(source(), 5).catch(() => undefined);
    expect(closed).toBe(true);
  });

  test("reads nothing before the first piece is requested", async () => {
    let started = false;
    async function* source() {
      started = true;
      yield new Uint8Array(1);
    }
    const stream = byteStream(source());
    expect(started).toBe(false);
    expect(await readBytes(stream, 1)).toHaveLength(1);
  });

  test("passes a source's own error through", async () => {
    async function* failing() {
      yield new Uint8Array(1);
      throw new Error("connection lost");
    }
    await expect(readBytes(failing(), 10)).rejects.toThrow("connection lost");
  });

  test("invalid bytes become U+FFFD and a byte order mark is kept", async () => {
    expect(await readText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff]), 10)).toBe("\ufeffa\ufffd");
  });
});

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
