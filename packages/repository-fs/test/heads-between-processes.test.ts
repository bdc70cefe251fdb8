import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { chmod, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

const COUNT = 220;
let root: string;
let cache: string;
let dispose: () => Promise<void>;
beforeEach(async () => {
  ({ root, dispose } = await temporaryDirectory());
  cache = join(root, ".cache");
  const names = Array.from({ length: COUNT }, (_, index) => `skill-${index}`);
  await writeSkills(
    root,
    Object.fromEntries(names.map((name) => [name, { "SKILL.md": skillMarkdown(name) }])),
  );
  // Files that changed just now are not cached.
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await dispose();
});

test("a new repository lists what an earlier one read, without opening a SKILL.md", async () => {
  const first = await list();
  const opened = vi.spyOn(fs, "openSync");
  expect(await list()).toEqual(first);
  expect(ownOf(opened.mock.calls)).toEqual([]);
});

test("the file and its directory are private to the user", async () => {
  await list();
  expect((await stat(cache)).mode & 0o777).toBe(0o700);
  expect((await stat(await cacheFile())).mode & 0o777).toBe(0o600);
});

test("a rewrite of the same size with its old times is read again", async () => {
  const file = join(root, "skill-7/SKILL.md");
  const text = skillMarkdown("skill-7", { description: "First." });
  await writeFile(file, text);
  await utimes(file, 1, 1);
  await list();
  await writeFile(file, text.replace("First.", "Other."));
  await utimes(file, 1, 1);
  const { skills } = await list();
  expect(skills.find(({ name }) => name === "skill-7")?.description).toBe("Other.");
});

test.each<[string, (file: string) => unknown]>([
  ["it was deleted", (file) => rm(file)],
  [
    "a byte of it changed",
    async (file) => writeFile(file, (await readFile(file, "utf8")).replace("skill-9", "skill-x")),
  ],
  ["its end is missing", async (file) => writeFile(file, (await readFile(file)).subarray(0, 5000))],
  ["it is empty", (file) => writeFile(file, "")],
  [
    "it is of another version",
    async (file) => writeFile(file, (await readFile(file, "utf8")).replace("cache 1", "cache 0")),
  ],
  ["others may read it", (file) => chmod(file, 0o644)],
  ["it is a pipe", (file) => rm(file).then(() => execFileSync("mkfifo", [file]))],
])("the file is not used where %s", async (_what, change) => {
  const first = await list();
  await change(await cacheFile());
  const opened = vi.spyOn(fs, "openSync");
  expect(await list()).toEqual(first);
  expect(ownOf(opened.mock.calls)).toHaveLength(COUNT);
});

test("few skills and a repository without a cache write no file", async () => {
  await fsRepository({ root, cache: false }).list();
  for (let index = 50; index < COUNT; index++) await rm(join(root, `skill-${index}`), { recursive: true });
  await list();
  await expect(readdir(cache)).rejects.toMatchObject({ code: "ENOENT" });
});

/** Lists, and waits until the file is there, which is written in the background. */
async function list() {
  const repository = fsRepository({ root, cache: { directory: cache } });
  const listing = await repository.list();
  await repository.close();
  return listing;
}

async function cacheFile(): Promise<string> {
  const [name = ""] = await readdir(cache);
  return join(cache, name);
}

/** The calls for files of this test. What other tests of this process left behind may open files meanwhile. */
function ownOf(calls: readonly (readonly [path: fs.PathLike, ...rest: unknown[]])[]) {
  return calls.filter(([path]) => String(path).startsWith(root));
}
