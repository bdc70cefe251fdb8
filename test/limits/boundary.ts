import { expect, vi } from "vitest";

/** Expects that the attempt accepts the value and refuses the next one with the code. */
export async function takesAtMost(
  value: number,
  attempt: (count: number) => unknown,
  code = "LIMIT_EXCEEDED",
): Promise<void> {
  await attempt(value);
  await expect((async () => attempt(value + 1))()).rejects.toMatchObject({ code });
}

/** Uses fake time that advances only when the work says so. */
export async function withTimers(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Expects that the promise settles at the given time, and not a millisecond earlier. */
export async function settlesAfter(value: number, begin: () => Promise<unknown>): Promise<void> {
  await withTimers(async () => {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    void begin().then(settle, settle);
    await vi.advanceTimersByTimeAsync(value - 1);
    expect(isSettled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isSettled).toBe(true);
  });
}

/** A stream of bytes that are never in memory together. */
export async function* zeros(bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  const piece = new Uint8Array(1024 * 1024);
  for (let left = bytes; left > 0; left -= piece.byteLength)
    yield left < piece.byteLength ? piece.subarray(0, left) : piece;
}

/** The delays of all timers that are set during the work. @param atOnce Delays of timers that fire at once. */
export async function delaysOf(
  work: () => Promise<unknown>,
  atOnce: readonly number[] = [],
): Promise<readonly (number | undefined)[]> {
  const { setTimeout: real } = globalThis;
  const spy = vi
    .spyOn(globalThis, "setTimeout")
    .mockImplementation((callback, delay = 0, ...args) =>
      real(callback, atOnce.includes(delay) ? 0 : delay, ...args),
    );
  try {
    await work();
    return spy.mock.calls.map(([, delay]) => delay);
  } finally {
    spy.mockRestore();
  }
}
