import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { diskWatch } from "../src/limits/disk-watch.js";
import { temporaryDirectory } from "./local-subject.js";

function gate() {
  let resolve = (_: undefined) => {};
  const promise = new Promise<undefined>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

test("short runs that are far from their default limits are measured once per 100 ms of run time", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const unmeasured = { ms: 0, allowedMs: 0, limits: "", isFar: false };
  const inside = async () => undefined;
  const watched = { count: 0, lookMs: 0 };
  const fixed = {
    directories: [path],
    unmeasured,
    watched,
    isLenient: true,
    inside,
    onExceeded: () => undefined,
  };
  const run = async (watchesDefaults: boolean, inodes: number) => {
    const watch = diskWatch({ ...fixed, limits: { inodes }, watchesDefaults });
    await watch.stop();
    return watch.diagnostics().map(({ code }) => code);
  };
  // The directory itself is one inode of the thousand.
  expect(await run(true, 1000)).toEqual([]);
  expect(unmeasured.ms).toBe(0);
  expect(unmeasured.allowedMs).toBeGreaterThanOrEqual(99.9);
  expect(await run(true, 1)).toEqual([]);
  unmeasured.allowedMs = Number.POSITIVE_INFINITY;
  await writeFile(join(path, "a"), "");
  expect(await run(true, 1)).toEqual([]);
  unmeasured.allowedMs = unmeasured.ms;
  expect(await run(true, 1)).toEqual(["limit.inodes-reached"]);
  // A run with other limits may have been left unmeasured for a while. A run with limits of the caller may not.
  unmeasured.allowedMs = Number.POSITIVE_INFINITY;
  expect(await run(false, 1)).toEqual(["limit.inodes-reached"]);
});

test("what a run left is told with the limit, what was found and what is allowed", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  await writeFile(join(path, "a"), Buffer.alloc(100_000, 1));
  const told = async (limits: { diskBytes?: number; inodes?: number }) => {
    const watch = diskWatch({
      directories: [path],
      unmeasured: { ms: 0, allowedMs: 0, limits: "", isFar: false },
      watched: { count: 0, lookMs: 0 },
      limits,
      isLenient: false,
      watchesDefaults: false,
      inside: async () => undefined,
      onExceeded: () => undefined,
    });
    await watch.stop();
    return watch.diagnostics().map(({ code, message }) => `${code} ${message}`);
  };
  expect(await told({ inodes: 1 })).toEqual([
    "limit.inodes-reached The workspace contained more files than allowed when the run ended " +
      "(2 were found, 1 are allowed, best effort).",
  ]);
  expect(await told({ diskBytes: 1000 })).toEqual([
    expect.stringMatching(
      /^limit\.diskBytes-reached The workspace contained more .*allowed.* \(\d+ bytes were found, 1000 are allowed/,
    ),
  ]);
  expect(await told({ inodes: 2, diskBytes: 1_000_000 })).toEqual([]);
});

test("a process that still sees the host's files and processes is not measured through them", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const codes = await new Promise<readonly string[]>((resolve) => {
    let looks = 0;
    const finish = () => resolve(watch.diagnostics().map(({ code }) => code));
    const watch = diskWatch({
      directories: [path],
      unmeasured: { ms: 0, allowedMs: 0, limits: "", isFar: false },
      watched: { count: 0, lookMs: 0 },
      limits: { inodes: 2 },
      processes: 1,
      isLenient: true,
      watchesDefaults: true,
      inside: async () => {
        if (++looks === 3) finish();
        return process.pid;
      },
      onExceeded: finish,
    });
    onTestFinished(() => watch.stop());
  });
  expect(codes).toEqual([]);
});

test("RES-02: a run that is held is measured at once, and again where a measurement was going on; then it gets the room that is left", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const measured = Array.from({ length: 3 }, () => gate());
  const began = Array.from({ length: 3 }, () => gate());
  const rooms: object[] = [];
  let looks = 0;
  const watch = diskWatch({
    directories: [path],
    unmeasured: { ms: 0, allowedMs: 0, limits: "", isFar: false },
    watched: { count: 0, lookMs: 0 },
    limits: { inodes: 16 },
    isLenient: true,
    watchesDefaults: true,
    inside: () => {
      began[looks]?.resolve(undefined);
      return measured[looks++]?.promise ?? Promise.resolve(undefined);
    },
    onExceeded: () => rooms.push({ ended: true }),
    onRoom: (room) => rooms.push(room),
  });
  onTestFinished(() => watch.stop());
  const bytes = Number.MAX_SAFE_INTEGER;
  watch.hold();
  measured[0]?.resolve(undefined);
  await expect.poll(() => rooms).toEqual([{ bytes, inodes: 15 }]);
  await began[1]?.promise;
  // It has begun by itself, and what is written now is not in it.
  for (let index = 0; index < 14; index++) writeFileSync(join(path, `${index}`), "");
  watch.hold();
  measured[1]?.resolve(undefined);
  await began[2]?.promise;
  expect(rooms).toHaveLength(1);
  measured[2]?.resolve(undefined);
  // One is left, and an eighth of the limit is given.
  await expect.poll(() => rooms.slice(1)).toEqual([{ bytes, inodes: 2 }]);
  for (const name of ["a", "b"]) writeFileSync(join(path, name), "");
  watch.hold();
  await expect.poll(() => rooms.slice(2)).toEqual([{ ended: true }]);
});

describe("in 10 s, measurements that take 10 ms each", () => {
  /** How often one of `runs` runs is measured, and how many files it had when it was ended. */
  async function looks(
    runs: number,
    given: { watchesDefaults: boolean; msPerFile?: number; isFar?: boolean; forMs?: number },
  ) {
    const { path, remove } = await temporaryDirectory();
    onTestFinished(remove);
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
    });
    onTestFinished(() => void vi.useRealTimers());
    const seen = { count: 0, files: 0, endedAt: undefined as number | undefined };
    const write = () => writeFileSync(join(path, `${++seen.files}`), "");
    if (given.msPerFile !== undefined) setInterval(write, given.msPerFile);
    const watched = { count: runs - 1, lookMs: 10 };
    const watch = diskWatch({
      directories: [path],
      unmeasured: { ms: 0, allowedMs: 0, limits: "", isFar: given.isFar ?? false },
      watched,
      limits: { inodes: 100 },
      isLenient: true,
      watchesDefaults: given.watchesDefaults,
      inside: async () => {
        seen.count++;
        await new Promise((resolve) => setTimeout(resolve, 10));
        return undefined;
      },
      onExceeded: () => {
        seen.endedAt = seen.files;
      },
    });
    await vi.advanceTimersByTimeAsync(given.forMs ?? 10_000);
    await watch.stop();
    expect(watched.count).toBe(runs - 1);
    return seen;
  }

  test("of one run come every 100 ms, and of several under default limits take a fifth of the time, or one each second", async () => {
    expect((await looks(1, { watchesDefaults: true })).count).toBe(91);
    expect((await looks(10, { watchesDefaults: true })).count).toBe(25);
    expect((await looks(100, { watchesDefaults: true })).count).toBe(10);
  });

  test("of 100 runs come every 100 ms under a limit of the caller", async () => {
    expect((await looks(100, { watchesDefaults: false })).count).toBe(91);
  });

  test("of 100 runs begin after a second where little is used, and otherwise after 100 ms", async () => {
    const first = { watchesDefaults: true, forMs: 900 };
    expect((await looks(100, { ...first, isFar: true })).count).toBe(0);
    expect((await looks(100, { ...first, isFar: true, forMs: 1100 })).count).toBe(1);
    expect((await looks(100, { ...first, isFar: false })).count).toBe(1);
    expect((await looks(1, { ...first, isFar: true, forMs: 150 })).count).toBe(1);
    expect((await looks(100, { watchesDefaults: false, isFar: true, forMs: 150 })).count).toBe(1);
  });

  test("of 100 runs come in time for one that fills up its default limit", async () => {
    const { endedAt } = await looks(100, { watchesDefaults: true, msPerFile: 50 });
    expect(endedAt).toBeGreaterThanOrEqual(100);
    expect(endedAt).toBeLessThan(105);
  });
});
