import { type RunOutput, Secret } from "@skillwright/core";
import { secretMasking } from "@skillwright/core/adapter";
import { expect, onTestFinished, test, vi } from "vitest";
import { type OutputLog, outputLog } from "../src/index.js";

const KEY = "sk-test/1234567890+abcdef?x";
const masking = secretMasking({ API_KEY: new Secret(KEY) });

async function heard(log: OutputLog, from?: number): Promise<string> {
  let text = "";
  for await (const { stream, offset, bytes } of log.read(from === undefined ? {} : { from }))
    text += `${stream === "stdout" ? "o" : "e"}${offset}:${Buffer.from(bytes)} `;
  return text.trim();
}

test("a reader receives both streams in order of arrival, and ends with the log", async () => {
  const log = outputLog({ limit: 100 });
  const early = heard(log);
  log.append("stdout", Buffer.from("one"));
  await Promise.resolve();
  log.append("stderr", Buffer.from("two"));
  log.append("stdout", Buffer.from("three"));
  log.end();
  expect(await early).toBe("o0:one e3:two o6:three");
  expect(await heard(log)).toBe("o0:one e3:two o6:three");
});

test("a reader can start at any offset, even within a piece and past the end", async () => {
  const log = outputLog({ limit: 100 });
  log.append("stdout", Buffer.from("abc"));
  log.append("stderr", Buffer.from("def"));
  log.end();
  expect(await heard(log, 2)).toBe("o2:c e3:def");
  expect(await heard(log, 3)).toBe("e3:def");
  expect(await heard(log, 6)).toBe("");
  expect(await heard(log, 600)).toBe("");
});

test("a piece that comes after later ones of the other stream is captured, and no piece is captured twice", async () => {
  const log = outputLog({ limit: 100 });
  const piece = (stream: "stdout" | "stderr", offset: number, position: number, text: string) =>
    log.add({ stream, offset, position, bytes: Buffer.from(text) });
  piece("stdout", 0, 0, "one ");
  piece("stdout", 10, 4, "two ");
  piece("stderr", 4, 0, "failed");
  piece("stderr", 4, 6, "failed");
  piece("stderr", 14, 6, ": why");
  log.end();
  expect(log.captured("stdout").text).toBe("one two ");
  expect(log.captured("stderr").text).toBe("failed: why");
  expect(await heard(log)).toBe("o0:one  o10:two  e14:: why");
});

test("a slow reader loses the oldest bytes and can tell by the offset", async () => {
  const log = outputLog({ limit: 1000 });
  for (let piece = 0; piece < 100; piece++) log.append("stdout", Buffer.alloc(600, String(piece % 10)));
  log.end();
  const pieces: RunOutput[] = [];
  for await (const piece of log.read()) pieces.push(piece);
  const size = pieces.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  expect(size).toBeLessThanOrEqual(2000);
  expect(pieces[0]?.offset).toBe(60_000 - size);
});

test("while memory is reused, a reader finds the right bytes, and bytes that it got before stay as they are", async () => {
  const log = outputLog({ limit: 4000 });
  const source = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  const got: RunOutput[] = [];
  let from = 0;
  for (let at = 0, size = 1; at < source.length; at += size) {
    size = [700, 690, 3, 800, 1][at % 5] ?? 1;
    log.append(at % 2 ? "stdout" : "stderr", source.subarray(at, at + size));
    if (at % 7 > 0) continue;
    for await (const piece of log.read({ from })) {
      got.push(piece);
      from = piece.offset + piece.bytes.byteLength;
      if (from >= Math.min(source.length, at + size)) break;
    }
  }
  expect(got.length).toBeGreaterThan(100);
  for (const { offset, bytes } of got)
    expect(source.subarray(offset, offset + bytes.byteLength).equals(bytes)).toBe(true);
});

test("a flood takes new memory only until the log is full", () => {
  const log = outputLog({ limit: 256 * 1024 });
  const piece = Buffer.alloc(65_536);
  const fill = (count: number) => {
    for (let index = 0; index < count; index++) log.append("stdout", piece);
  };
  fill(100);
  const made = vi.spyOn(globalThis, "Uint8Array");
  onTestFinished(() => made.mockRestore());
  fill(100);
  expect(made.mock.calls.length).toBe(0);
});

test("a slow reader within the kept output loses nothing", async () => {
  const log = outputLog({ limit: 1000 });
  let heardBytes = 0;
  const reading = (async () => {
    for await (const { bytes } of log.read()) heardBytes += bytes.byteLength;
  })();
  for (let round = 0; round < 500; round++) {
    log.append(round % 2 ? "stdout" : "stderr", Buffer.alloc(700));
    await new Promise((resolve) => setImmediate(resolve));
  }
  log.end();
  await reading;
  expect(heardBytes).toBe(350_000);
});

test("single bytes are delivered as they arrive, without an object for each", async () => {
  const log = outputLog({ limit: 1000 });
  for (const byte of "abcdef") log.append("stdout", Buffer.from(byte));
  const reader = log.read()[Symbol.asyncIterator]();
  expect((await reader.next()).value).toMatchObject({
    offset: 0,
    bytes: new Uint8Array(Buffer.from("abcdef")),
  });
  log.append("stdout", Buffer.from("g"));
  log.end();
  expect((await reader.next()).value).toMatchObject({ offset: 6, bytes: new Uint8Array(Buffer.from("g")) });
  expect((await reader.next()).done).toBe(true);
});

test("a reader's changes to its bytes are not visible to others, nor is the writer's reuse of its buffer", async () => {
  const log = outputLog({ limit: 100 });
  const buffer = Buffer.from("safe");
  log.append("stdout", buffer);
  buffer.fill("x");
  for await (const { bytes } of log.read()) {
    bytes.fill(0);
    break;
  }
  log.end();
  expect(await heard(log)).toBe("o0:safe");
  expect(log.captured("stdout").text).toBe("safe");
});

test("ignores output after the end", async () => {
  const log = outputLog({ limit: 100 });
  log.append("stdout", Buffer.from("a"));
  log.end();
  log.append("stdout", Buffer.from("b"));
  expect(log.captured("stdout")).toEqual({ text: "a", totalBytes: 1, truncated: false });
  expect(log.captured("stderr")).toEqual({ text: "", totalBytes: 0, truncated: false });
});

test("a flood of single bytes in both streams needs little memory", async () => {
  const log = outputLog({ limit: 64 * 1024 });
  for (let index = 0; index < 400_000; index++) log.append(index % 2 ? "stdout" : "stderr", Buffer.from("x"));
  log.end();
  expect(log.captured("stdout").totalBytes).toBe(200_000);
  let pieces = 0;
  for await (const _ of log.read()) pieces++;
  expect(pieces).toBeLessThan(1000);
});

test("SECR-01: kept, counted and live output of both streams is masked, with consistent offsets", async () => {
  const log = outputLog({ limit: 100, masking: masking });
  log.append("stdout", Buffer.from(`a ${KEY.slice(0, 9)}`));
  log.append("stderr", Buffer.from(`b ${KEY.slice(0, 5)}`));
  log.append("stdout", Buffer.from(`${KEY.slice(9)} !`));
  log.append("stderr", Buffer.from(KEY.slice(5)));
  log.append("stdout", Buffer.from("sk-tes"));
  log.end();
  log.end();
  expect(log.captured("stdout")).toEqual({ text: "a *** !sk-tes", totalBytes: 13, truncated: false });
  expect(log.captured("stderr")).toEqual({ text: "b ***", totalBytes: 5, truncated: false });
  let heard = "";
  for await (const { offset, bytes } of log.read()) {
    expect(offset).toBe(heard.length);
    heard += Buffer.from(bytes);
  }
  expect(heard).toBe("a b *** !***sk-tes");
});

test("SECR-01: a secret at the cut of head and tail is masked before it is cut", () => {
  const log = outputLog({ limit: 40, masking: masking });
  log.append("stdout", Buffer.from(`${"x".repeat(18)}${KEY}${"y".repeat(100)}`));
  log.end();
  const { text } = log.captured("stdout");
  expect(text).not.toContain("sk-");
  expect(text).toMatch(/^x{18}\*\*\n/);
});
