import type { JsonValue } from "@skillwright/core";
import type { TurnLease } from "@skillwright/records";
import { expect, onTestFinished, test, vi } from "vitest";
import { logWriter } from "../src/turns/log-writer.js";
import type { UiChunk } from "../src/turns/ui-chunks.js";

const word = (delta: string): UiChunk => ({ type: "text-delta", id: "text-0", delta });

test("the first word is stored at once, and later words are stored together", async () => {
  const { writer, appended } = writerOver();
  for (const one of ["a", "b", "c"]) writer.write("events", [word(one)]);
  expect(appended).toEqual([[word("a")]]);
  await writer.flush();
  expect(appended).toEqual([[word("a")], [word("b"), word("c")]]);
});

test("after a write, the next words are stored 50 ms later", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { writer, appended } = writerOver();
  for (const one of ["a", "b"]) writer.write("events", [word(one)]);
  await vi.advanceTimersByTimeAsync(49);
  expect(appended).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(appended).toHaveLength(2);
});

test("a chunk that a reader cannot see is stored with the next one, or by flush", async () => {
  const { writer, appended } = writerOver();
  writer.write("events", [{ type: "start-step" }]);
  expect(appended).toEqual([]);
  writer.write("events", [word("a")]);
  expect(appended).toEqual([[{ type: "start-step" }, word("a")]]);
  writer.write("events", [{ type: "finish-step" }]);
  await writer.flush();
  expect(appended.at(-1)).toEqual([{ type: "finish-step" }]);
});

test("after more than 1 MiB the writer waits until it is stored, and not for 50 ms", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { writer, appended } = writerOver();
  expect(writer.write("events", [word("a")])).toBeUndefined();
  await writer.write("events", [word("x".repeat(1024 * 1024))]);
  expect(appended).toHaveLength(2);
});

function writerOver() {
  const appended: (readonly JsonValue[])[] = [];
  let length = 0;
  const lease = {
    append: async (_log: string, events: readonly JsonValue[]) => {
      appended.push(events);
      length += events.length;
      return length;
    },
  } as Partial<TurnLease> as TurnLease;
  const signal = new AbortController().signal;
  return { writer: logWriter(lease, { signal, onRefused: () => undefined }), appended };
}
