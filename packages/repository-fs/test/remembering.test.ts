import fs from "node:fs";
import { rm, utimes, writeFile } from "node:fs/promises";
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
function countOpened(): () => number {
  const spies = [vi.spyOn(fs, "open"), vi.spyOn(fs, "openSync")];
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}
