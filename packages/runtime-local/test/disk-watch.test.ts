import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { diskWatch } from "../src/limits/disk-watch.js";
import { temporaryDirectory } from "./local-subject.js";

test("short runs that are far from their default limits are measured once per 100 ms of run time", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const unmeasured = { ms: 0, allowedMs: 0 };
  const inside = async () => undefined;
  const fixed = { directories: [path], unmeasured, isLenient: true, inside, onExceeded: () => undefined };
  const run = async (watchesDefaults: boolean, inodes: number) => {
    const watch = diskWatch({ ...fixed, limits: { inodes }, watchesDefaults });
    await watch.stop();
    return watch.diagnostics().map(({ code }) => code);
  };
  // The directory itself is one inode of the thousand.
  expect(await run(true, 1000)).toEqual([]);
  expect(unmeasured.ms).toBe(0);
  expect(unmeasured.allowedMs).toBeGreaterThanOrEqual(99.9);
  unmeasured.allowedMs = Number.POSITIVE_INFINITY;
  await writeFile(join(path, "a"), "");
  expect(await run(true, 1)).toEqual([]);
  unmeasured.allowedMs = unmeasured.ms;
  expect(await run(true, 1)).toEqual(["limit.inodes-reached"]);
});

test("what a run left is told with the limit, what was found and what is allowed", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  await writeFile(join(path, "a"), Buffer.alloc(100_000, 1));
  const told = async (limits: { diskBytes?: number; inodes?: number }) => {
    const watch = diskWatch({
      directories: [path],
      unmeasured: { ms: 0, allowedMs: 0 },
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
      unmeasured: { ms: 0, allowedMs: 0 },
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
