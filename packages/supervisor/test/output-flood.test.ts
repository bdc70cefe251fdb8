import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { withinMemory } from "../../../test/memory/within-memory.js";
import { type RunRecord, type RunStream, recordedRuns, runStream } from "../src/index.js";
import { frameOf, frameReader } from "../src/stream/frames.js";

const MEBIBYTE = 1024 * 1024;
const PIECE = 65_536;
const COUNT = 64 * 16;

const record: RunRecord = {
  ...{ formatVersion: 1, runId: "one", isKept: true, maxOutputBytes: MEBIBYTE, leaseMs: 60_000 },
  ...{ isolation: { level: "none", by: "a test" }, limits: {}, diagnostics: [] },
};

test.each([
  ["after every message", 1],
  ["after every record of 3 MiB", 48],
  ["never", Number.POSITIVE_INFINITY],
])("64 MiB that nobody takes hold at most 16 MiB, with a scan %s", async (_, scanEach) => {
  const stream = await followedBy((tell) => flood(tell, scanEach));
  const run = await runsOver(stream).found({ directory: "/records/one", claim: "run" });
  const output = run?.output()[Symbol.asyncIterator]();
  // 3 MiB that readers find, 1.5 for the result, 6 that wait for a scan, and what the test itself holds.
  const result = await withinMemory(16 * MEBIBYTE, async () => {
    await output?.next();
    return await run?.result;
  });
  expect(result?.stdout).toMatchObject({ totalBytes: COUNT * PIECE, truncated: true });
  const next = await output?.next();
  expect(next?.value.offset).toBeGreaterThanOrEqual((COUNT - 48) * PIECE);
});

function runsOver(stream: RunStream) {
  return recordedRuns({
    open: async () => stream,
    waiting: (answer) => answer(),
    fate: async () => undefined,
    reached: () => [],
    far: "test",
    signal: undefined,
    closed: new AbortController().signal,
  });
}

/** A connection to a supervisor with one command, which writes these bytes. */
async function followedBy(telling: (tell: Tell) => AsyncIterable<Uint8Array>): Promise<RunStream> {
  let start: (channel: number) => void = () => undefined;
  const started = new Promise<number>((resolve) => {
    start = resolve;
  });
  const read = frameReader();
  async function* input() {
    yield Buffer.concat([
      frameOf("H", 0, Buffer.from("skillwright-stream 1\n")),
      frameOf("M", 0, Buffer.from("")),
    ]);
    const channel = await started;
    yield* telling((...parts) => frameOf("D", channel, Uint8Array.of(1), ...parts));
    yield frameOf("E", channel, Uint8Array.of(0, 0));
  }
  const write = async (bytes: Uint8Array) => {
    for (const { kind, channel } of read(bytes)) if (kind === "S") start(channel);
  };
  return await runStream({ input: input(), write, close: () => undefined });
}

type Tell = (...parts: readonly Uint8Array[]) => Uint8Array;

async function* flood(tell: Tell, scanEach: number) {
  const told = (name: string, content: Uint8Array) =>
    tell(Buffer.from(`${name} ${content.byteLength}\n`), content);
  const scan = tell(Buffer.from("scan\n"));
  yield tell(Buffer.from("run attempt\n"));
  yield told("run.json", Buffer.from(JSON.stringify(record)));
  yield scan;
  for (let index = 0; index < COUNT; index++) {
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(BigInt(index * PIECE));
    head.writeUInt32LE(PIECE, 8);
    const segment = `stdout.${Math.floor(index / 8) * 8 * PIECE}`;
    yield told(segment, Buffer.concat([head, Buffer.alloc(PIECE, "a")]));
    if (index % scanEach === scanEach - 1) yield scan;
    if (index % 16 === 0) await setImmediate();
  }
  yield told("report", Buffer.from("supervisor 1\nbegun\nended exit 0\ngone\n"));
  yield tell(Buffer.from("over\n"));
}
