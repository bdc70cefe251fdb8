import fs, { type BigIntStats } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { folderWatches } from "../src/watch/folder-watches.js";
import { temporaryDirectory } from "./fs-subject.js";

let root: string;
let folder: string;
let dispose: () => Promise<void>;
beforeEach(async () => {
  ({ root, dispose } = await temporaryDirectory());
  folder = join(root, "one");
  fs.mkdirSync(folder);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await dispose();
});

test.each<[string, () => void]>([
  ["removed", () => fs.rmSync(folder, { recursive: true })],
  ["moved away", () => fs.renameSync(folder, join(root, "other"))],
])(
  "a directory that was %s and made again is watched anew, even if the new one has the same inode",
  async (_, leave) => {
    sameInodes();
    let events = 0;
    const watches = folderWatches(10, () => events++);
    try {
      expect(await watches.cover([folder])).toBe(true);
      expect(await watches.cover([folder])).toBe(false);
      leave();
      fs.mkdirSync(folder);
      await expect.poll(() => events).toBeGreaterThan(0);
      expect(await watches.cover([folder])).toBe(true);
      const before = events;
      fs.writeFileSync(join(folder, "a.txt"), "a");
      await expect.poll(() => events).toBeGreaterThan(before);
    } finally {
      watches.close();
    }
  },
);

test("a directory with a file of its own name is still watched after that file has changed", async () => {
  let events = 0;
  const watches = folderWatches(10, () => events++);
  try {
    await watches.cover([folder]);
    fs.writeFileSync(join(folder, "one"), "a");
    await expect.poll(() => events).toBeGreaterThan(0);
    await watches.cover([folder]);
    const before = events;
    fs.writeFileSync(join(folder, "two"), "a");
    await expect.poll(() => events).toBeGreaterThan(before);
  } finally {
    watches.close();
  }
});

/** Stands for a file system that gives a new directory the inode of a removed one, as ext4 does. */
function sameInodes(): void {
  const { lstatSync } = fs;
  vi.spyOn(fs, "lstatSync").mockImplementation(((...given: [string, { bigint: true }]) =>
    Object.assign(lstatSync(...given) as BigIntStats, { ino: 1n })) as typeof lstatSync);
}
