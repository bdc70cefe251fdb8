import fs from "node:fs";
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type SkillSeed, skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => {
  vi.restoreAllMocks();
  await dispose();
});

test("1,000 skills listed a second time open no file", async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `skill-${index}`);
  const seed: SkillSeed = Object.fromEntries(
    names.map((name) => [name, { "SKILL.md": skillMarkdown(name), "references/a.md": "a" }]),
  );
  await writeSkills(root, seed);
  laterThanTheFiles();
  const repository = fsRepository({ root });
  const opened = countOpened();
  const first = await repository.list();
  expect([first.skills.length, opened()]).toEqual([1000, 1000]);
  const second = await repository.list();
  expect(opened()).toBe(1000);
  expect(second).toEqual(first);
});

test("where nothing changed, skills listed a third time are looked at with one call for each file and directory, and no directory is read", async () => {
  await writeSkills(root, {
    one: { "SKILL.md": skillMarkdown("one"), "scripts/a.sh": "a" },
    two: { "SKILL.md": skillMarkdown("two") },
    broken: { "SKILL.md": "no header" },
  });
  laterThanTheFiles();
  const repository = fsRepository({ root });
  await repository.list();
  const second = await repository.list();
  const read = vi.spyOn(fs, "readdirSync");
  const looked = vi.spyOn(fs, "lstatSync");
  expect(await repository.list()).toBe(second);
  expect(read).not.toHaveBeenCalled();
  const paths = looked.mock.calls.map(([path]) => String(path).slice(root.length + 1));
  expect(paths.sort()).toEqual([
    ...[
      "",
      "broken",
      "broken/SKILL.md",
      "one",
      "one/SKILL.md",
      "one/scripts",
      "one/scripts/a.sh",
      "two",
      "two/SKILL.md",
    ],
  ]);
});

const CHANGES: Record<string, (folder: string) => Promise<unknown>> = {
  "a file has other bytes of the same length, and its old times": async (folder) => {
    await writeFile(join(folder, "scripts/a.sh"), "b");
    await utimes(join(folder, "scripts/a.sh"), 1, 1);
  },
  "SKILL.md has other bytes of the same length, and its old times": async (folder) => {
    await writeFile(join(folder, "SKILL.md"), skillMarkdown("one", { description: "Other" }));
    await utimes(join(folder, "SKILL.md"), 1, 1);
  },
  "a file is new": async (folder) => await writeFile(join(folder, "scripts/b.sh"), "b"),
  "a file is gone": async (folder) => await rm(join(folder, "scripts/a.sh")),
  "a file may be executed": async (folder) => await chmod(join(folder, "scripts/a.sh"), 0o755),
  "a directory was moved": async (folder) => await rename(join(folder, "scripts"), join(folder, "other")),
  "a directory has another one's place": async (folder) => {
    await mkdir(join(folder, "new"));
    await writeFile(join(folder, "new/a.sh"), "a");
    await rm(join(folder, "scripts"), { recursive: true });
    await rename(join(folder, "new"), join(folder, "scripts"));
  },
};

test.each(Object.entries(CHANGES))("after three listings it is seen that %s", async (_what, change) => {
  const folder = join(root, "one");
  const markdown = skillMarkdown("one", { description: "First" });
  await writeSkills(root, { one: { "SKILL.md": markdown, "scripts/a.sh": "a" } });
  for (const file of ["SKILL.md", "scripts/a.sh"]) await utimes(join(folder, file), 1, 1);
  laterThanTheFiles();
  const repository = fsRepository({ root });
  for (let count = 0; count < 3; count++) await repository.list();
  const before = (await repository.list()).skills[0];
  await change(folder);
  const after = (await repository.list()).skills[0];
  expect(after?.changeMark).not.toBe(before?.changeMark);
});

const SEARCH_CHANGES: Record<string, readonly [change: (home: string) => Promise<unknown>, names: string[]]> =
  {
    "a skill is new": [
      async (home) => await writeSkills(home, { three: { "SKILL.md": skillMarkdown("three") } }),
      ["one", "three", "two"],
    ],
    "a skill in a group is new": [
      async (home) => await writeSkills(home, { "group/three": { "SKILL.md": skillMarkdown("three") } }),
      ["one", "three", "two"],
    ],
    "a skill is gone": [async (home) => await rm(join(home, "group/two"), { recursive: true }), ["one"]],
    "a directory became a skill": [
      async (home) => await writeFile(join(home, "empty/SKILL.md"), skillMarkdown("empty")),
      ["empty", "one", "two"],
    ],
    "a broken skill is mended": [
      async (home) => await writeFile(join(home, "broken/SKILL.md"), skillMarkdown("broken")),
      ["broken", "one", "two"],
    ],
    "an ignore file has another line": [
      async (home) => await writeFile(join(home, ".skillignore"), "none/\ngroup/\n"),
      ["one"],
    ],
    "the root leads to another directory": [
      async (home) => {
        await writeSkills(`${home}-2`, { other: { "SKILL.md": skillMarkdown("other") } });
        await rm(join(root, "link"));
        await symlink(`${home}-2`, join(root, "link"));
      },
      ["other"],
    ],
  };

test.each(Object.entries(SEARCH_CHANGES))(
  "after three listings it is seen that %s",
  async (_what, [change, names]) => {
    const home = join(root, "home");
    await writeSkills(home, {
      one: { "SKILL.md": skillMarkdown("one") },
      "group/two": { "SKILL.md": skillMarkdown("two") },
      broken: { "SKILL.md": "no header" },
    });
    await mkdir(join(home, "empty"));
    await writeFile(join(home, ".skillignore"), "none/\n");
    await symlink(home, join(root, "link"));
    laterThanTheFiles();
    const repository = fsRepository({ root: join(root, "link") });
    const listed = async () => (await repository.list()).skills.map(({ name }) => name);
    for (let count = 0; count < 3; count++) expect(await listed()).toEqual(["one", "two"]);
    const read = vi.spyOn(fs, "readdirSync");
    expect(await listed()).toEqual(["one", "two"]);
    expect(read).not.toHaveBeenCalled();
    await change(home);
    expect(await listed()).toEqual(names);
  },
);

test("a skill loaded a second time opens no file; after a change only the changed one is read", async () => {
  await writeSkills(root, { demo: { "SKILL.md": skillMarkdown("demo"), "a.txt": "a", "b.txt": "b" } });
  laterThanTheFiles();
  const repository = fsRepository({ root });
  const first = await repository.load("demo");
  const opened = countOpened();
  expect(await repository.load("demo")).toEqual(first);
  expect(opened()).toBe(0);
  await writeFile(join(root, "demo/a.txt"), "other");
  const before = opened();
  const second = await repository.load("demo");
  expect(opened() - before).toBe(1);
  expect(second.digest).not.toBe(first.digest);
});

test("LIST-17: an edit of SKILL.md in place a moment later is noticed, even when size and modification time stay the same", async () => {
  await writeSkills(root, { demo: { "SKILL.md": skillMarkdown("demo", { description: "First." }) } });
  const file = join(root, "demo/SKILL.md");
  const repository = fsRepository({ root });
  for (const description of ["Secnd.", "Third.", "Forth.", "Fifth."]) {
    await repository.list();
    await writeFile(file, skillMarkdown("demo", { description }));
    await utimes(file, 1, 1);
    expect((await repository.list()).skills[0]?.description).toBe(description);
  }
});

test("LIST-18: a changed support file changes the change mark, without reading SKILL.md", async () => {
  await writeSkills(root, { demo: { "SKILL.md": skillMarkdown("demo"), "deep/er/data.txt": "one" } });
  laterThanTheFiles();
  const repository = fsRepository({ root });
  const before = (await repository.list()).skills[0]?.changeMark;
  await writeFile(join(root, "demo/deep/er/data.txt"), "two");
  const opened = countOpened();
  expect((await repository.list()).skills[0]?.changeMark).not.toBe(before);
  expect(opened()).toBe(0);
});

test("LIST-19: a skill whose SKILL.md was removed after a listing is neither listed nor found, and is not an error of the list", async () => {
  await writeSkills(root, { demo: { "SKILL.md": skillMarkdown("demo") } });
  const repository = fsRepository({ root });
  await repository.load("demo");
  await rm(join(root, "demo/SKILL.md"));
  expect(await repository.list()).toMatchObject({ skills: [], broken: [], diagnostics: [] });
  await expect(repository.load("demo")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
  await expect(repository.open("demo", "SKILL.md")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
});

test("a skill renamed in place is found under its new name and not under the old one", async () => {
  await writeSkills(root, { folder: { "SKILL.md": skillMarkdown("before") } });
  const repository = fsRepository({ root });
  await repository.load("before");
  await writeFile(join(root, "folder/SKILL.md"), skillMarkdown("after"));
  expect((await repository.load("after")).path).toBe("folder");
  await expect(repository.load("before")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
});

test("after a rename in place no file is opened under the old name, and each under the new one", async () => {
  await writeSkills(root, { folder: { "SKILL.md": skillMarkdown("before"), "a.txt": "a" } });
  const repository = fsRepository({ root });
  await repository.load("before");
  await writeFile(join(root, "folder/SKILL.md"), skillMarkdown("after"));
  for (const path of ["SKILL.md", "a.txt"])
    await expect(repository.open("before", path)).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
  expect(await readText(await repository.open("after", "a.txt"), 10)).toBe("a");
});

test("one skill of thousands is found by checking only its own directory, wherever that is", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `skill-${index}`);
  await writeSkills(
    root,
    Object.fromEntries(names.map((name) => [`of/${name}-folder`, { "SKILL.md": skillMarkdown(name) }])),
  );
  laterThanTheFiles();
  const repository = fsRepository({ root });
  const { skills } = await repository.list();
  const looked = [
    vi.spyOn(fs, "lstatSync"),
    vi.spyOn(fs, "lstat"),
    vi.spyOn(fs, "readdirSync"),
    vi.spyOn(fs, "readdir"),
  ];
  const found = await repository.find?.("skill-7");
  expect(found).toBe(skills.find(({ name }) => name === "skill-7"));
  expect(await repository.find?.("nobody")).toBeUndefined();
  const paths = looked.flatMap(({ mock }) => mock.calls.map(([path]) => String(path)));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !path.includes("skill-7-folder"))).toEqual([]);
});

/** Files that changed just now are not cached. */
function laterThanTheFiles(): void {
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
}

/** The calls that open a file, by any function that the package uses. */
/** Counts opened files of the test's own folder. Work that an earlier test file began in this process may still open other files. */
function countOpened(): () => number {
  const spies = [vi.spyOn(fs, "open"), vi.spyOn(fs, "openSync")];
  const isOwn = ([path]: readonly unknown[]) => String(path).startsWith(root);
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.filter(isOwn).length, 0);
}
