import { execFileSync } from "node:child_process";
import { lstat, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import type { SkillManifest, SkillReader } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { removeTree } from "../src/files/remove-tree.js";
import { fsContentStore, fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

const LARGE = "large ".repeat(100_000);

let root: string;
let dispose: () => Promise<void>;
let manifest: SkillManifest;
let reader: SkillReader;
beforeEach(async () => {
  ({ root, dispose } = await temporaryDirectory());
  await writeSkills(join(root, "skills"), {
    demo: {
      "SKILL.md": skillMarkdown("demo"),
      "docs/a.txt": "first",
      "docs/b.txt": "second",
      "empty.txt": "",
      "large.txt": LARGE,
      "scripts/run.sh": { content: "run", executable: true },
    },
  });
  const repository = fsRepository({ root: join(root, "skills") });
  ({ manifest } = await repository.load("demo"));
  const opened = await repository.reader?.("demo");
  if (!opened) throw new Error("There is no reader.");
  reader = opened;
});
afterEach(async () => await dispose());

describe("content whose reader reports file locations", () => {
  test("is copied from there: only large files are requested by their path", async () => {
    const asked: string[] = [];
    const { directory } = await materialize(watched(asked));
    expect(asked).toEqual(["large.txt"]);
    expect(await textsOf(directory)).toEqual(TEXTS);
  });

  test("is copied from there even where the disk is slow", async () => {
    // An hour ago, so that no file counts as recently changed once the clock is right again.
    let late = performance.now() - 3_600_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      late += 50;
      return late;
    });
    onTestFinished(() => clock.mockRestore());
    for (let round = 0; round < 20; round++) {
      const asked: string[] = [];
      const { directory } = await materialize(watched(asked));
      expect(asked).toEqual(["large.txt"]);
      expect(await textsOf(directory)).toEqual(TEXTS);
      await removeTree(join(root, "content"));
    }
  });

  test.each([0, 0o022, 0o077])("has its permissions whatever the umask, here %o", async (given) => {
    const mask = process.umask(given);
    const made = materialize(reader).finally(() => process.umask(mask));
    const { directory } = await made;
    const mode = async (path: string) => (await lstat(join(directory, path))).mode & 0o777;
    for (const path of ["SKILL.md", "docs/a.txt", "empty.txt", "large.txt"])
      expect(await mode(path), path).toBe(0o444);
    for (const path of ["", "docs", "scripts", "scripts/run.sh"]) expect(await mode(path), path).toBe(0o555);
  });

  test.each<[string, string, (file: string) => Promise<unknown>]>([
    ["DIGEST_MISMATCH", "of the same length with other bytes", (file) => writeFile(file, "FIRST")],
    ["DIGEST_MISMATCH", "longer", (file) => writeFile(file, "first and more")],
    ["DIGEST_MISMATCH", "shorter", (file) => truncate(file, 2)],
    ["FILE_NOT_FOUND", "gone", (file) => rm(file)],
    ["FILE_NOT_FOUND", "a pipe", (file) => rm(file).then(() => execFileSync("mkfifo", [file]))],
    ["FILE_NOT_FOUND", "a folder", (file) => rm(file).then(() => mkdir(file))],
    // The link is not followed, even to the same bytes.
    ["FILE_NOT_FOUND", "a link to the outside", (file) => linkedOutside(file, "first")],
  ])("is refused with %s where a file is %s by now, and nothing is left behind", async (code, _, change) => {
    await change(join(root, "skills/demo/docs/a.txt"));
    await expect(materialize(reader)).rejects.toMatchObject({ code });
    expect(await readdir(join(root, "content"), { recursive: true })).toEqual([]);
  });

  test("contains no more than the manifest, whatever was added to the directory meanwhile", async () => {
    const demo = join(root, "skills/demo");
    await writeFile(join(demo, "more.txt"), "more");
    await symlink("/etc", join(demo, "docs/etc"));
    execFileSync("mkfifo", [join(demo, "docs/pipe")]);
    const { directory } = await materialize(reader);
    expect(await textsOf(directory)).toEqual(TEXTS);
  });

  test.each<[string, () => Promise<ReadonlyMap<string, string>>]>([
    ["elsewhere", async () => new Map(Object.keys(TEXTS).map((path) => [path, join(root, path)]))],
    ["in a folder", async () => new Map(Object.keys(TEXTS).map((path) => [path, root]))],
    ["nowhere", async () => new Map()],
    ["and fails to", async () => await Promise.reject(new Error("It does not know."))],
  ])("is read by its paths where the reader reports %s", async (_, locations) => {
    const asked: string[] = [];
    const { directory } = await materialize(Object.assign(watched(asked), { locations }));
    expect(asked.sort()).toEqual(Object.keys(TEXTS).sort());
    expect(await textsOf(directory)).toEqual(TEXTS);
  });

  test("is not waited for once the signal fires, and nothing is left behind", async () => {
    const controller = new AbortController();
    const locations = async (): Promise<ReadonlyMap<string, string>> => {
      controller.abort();
      return await new Promise(() => undefined);
    };
    const hanging = Object.assign((path: string) => reader(path), { locations });
    const work = materialize(hanging, controller.signal);
    await expect(work).rejects.toMatchObject({ code: "ABORTED" });
    expect(await readdir(join(root, "content"), { recursive: true })).toEqual([]);
  });

  test("that is already stored is not requested", async () => {
    await materialize(reader);
    const asked: string[] = [];
    const locations = async (): Promise<ReadonlyMap<string, string>> => {
      asked.push("locations");
      return new Map();
    };
    await materialize(Object.assign(watched(asked), { locations }));
    expect(asked).toEqual([]);
  });
});

const TEXTS: Readonly<Record<string, string>> = {
  "SKILL.md": skillMarkdown("demo"),
  "docs/a.txt": "first",
  "docs/b.txt": "second",
  "empty.txt": "",
  "large.txt": LARGE,
  "scripts/run.sh": "run",
};

/** The reader, recording every path that is requested from it. */
function watched(asked: string[]): SkillReader {
  const read = async (path: string) => {
    asked.push(path);
    return await reader(path);
  };
  return Object.assign(read, { locations: reader.locations });
}

async function materialize(open: SkillReader, signal?: AbortSignal): Promise<{ readonly directory: string }> {
  const store = fsContentStore({ root: join(root, "content") });
  return await store.materialize(manifest, open, { owner: "w", signal });
}

async function linkedOutside(file: string, text: string): Promise<void> {
  await rename(file, join(root, "moved"));
  await writeFile(join(root, "outside.txt"), text);
  await symlink(join(root, "outside.txt"), file);
}

async function textsOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const others = entries.filter((entry) => !entry.isFile() && !entry.isDirectory());
  expect(others.map(({ name }) => name).sort()).toEqual(["inputs", "out", "work"]);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(async (path) => [path.slice(directory.length + 1), await readFile(path, "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}
