import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { abortable, untilAborted } from "../src/adapter.js";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

describe("a signal that outlives the call has no listener left", () => {
  test.each([
    ["succeeds", () => Promise.resolve("done")],
    ["fails", () => Promise.reject(new Error("failed"))],
  ])("for work that %s", async (_, work) => {
    const { signal } = new AbortController();
    const waiting = untilAborted(work(), signal).catch(() => undefined);
    expect(listeners(signal)).toBe(1);
    await waiting;
    expect(listeners(signal)).toBe(0);
  });

  test("for work that was given up because the signal fired", async () => {
    const controller = new AbortController();
    const waiting = untilAborted(new Promise(() => undefined), controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
    expect(listeners(controller.signal)).toBe(0);
  });

  test("for a stream, between its items and after leaving it", async () => {
    const { signal } = new AbortController();
    const seen: number[] = [];
    for await (const item of abortable([1, 2, 3], signal)) {
      expect(listeners(signal)).toBe(0);
      if (seen.push(item) === 2) break;
    }
    expect([seen, listeners(signal)]).toEqual([[1, 2], 0]);
  });
});

test("many calls that wait for one signal share one listener, and each ends with ABORTED", async () => {
  const controller = new AbortController();
  const finish: (() => void)[] = [];
  const waits = Array.from({ length: 12 }, () =>
    untilAborted(new Promise<void>((resolve) => void finish.push(resolve)), controller.signal),
  );
  expect(listeners(controller.signal)).toBe(1);
  finish[0]?.();
  await waits[0];
  expect(listeners(controller.signal)).toBe(1);
  controller.abort();
  const ends = await Promise.allSettled(waits.slice(1));
  expect(ends.map((end) => end.status === "rejected" && end.reason.code)).toEqual(Array(11).fill("ABORTED"));
  expect(listeners(controller.signal)).toBe(0);
});
