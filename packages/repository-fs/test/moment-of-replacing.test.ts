import fs from "node:fs";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { expect, test, vi } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

test("a directory that is missing for a moment, just when its SKILL.md is opened, is listed as a skill", async () => {
  const { root } = await temporaryDirectory();
  await writeSkills(root, { demo: { "SKILL.md": skillMarkdown("demo"), "a.txt": "a" } });
  const looked = away(root, "demo");
  const { skills, diagnostics } = await fsRepository({ root }).list();
  expect(looked()).toBe(true);
  expect(skills.map(({ name }) => name)).toEqual(["demo"]);
  expect(diagnostics).toEqual([]);
});

test("a root that is a skill and whose SKILL.md is missing for a moment is listed as one", async () => {
  const { root } = await temporaryDirectory();
  await writeSkills(root, { ".": { "SKILL.md": skillMarkdown("whole") } });
  const spy = vi.spyOn(fs, "openSync").mockImplementationOnce((path) => {
    throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT", errno: -2 });
  });
  const { skills } = await fsRepository({ root }).list();
  spy.mockRestore();
  expect(skills.map(({ name }) => name)).toEqual(["whole"]);
});

test("a skill that is replaced while its directory is read is loaded, not reported as broken", async () => {
  const { root } = await temporaryDirectory();
  await writeSkills(root, {
    demo: { "SKILL.md": skillMarkdown("demo") },
    ".new": { "SKILL.md": skillMarkdown("demo"), "new.txt": "new" },
  });
  const repository = fsRepository({ root });
  await repository.list();
  const isReplaced = replacedWhileRead(root, "demo");
  const { manifest } = await repository.load("demo");
  expect(isReplaced()).toBe(true);
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "new.txt"]);
});

/** The change by a writer in another process once the directory is open for reading: it is moved away and emptied. */
function replacedWhileRead(root: string, name: string): () => boolean {
  const readdirSync = fs.readdirSync as (...given: unknown[]) => fs.Dirent[];
  let isDone = false;
  const spy = vi.spyOn(fs, "readdirSync").mockImplementation(((...given: unknown[]) => {
    if (given[0] !== join(root, name)) return readdirSync(...given);
    spy.mockRestore();
    isDone = true;
    fs.rmSync(join(root, name), { recursive: true });
    fs.renameSync(join(root, ".new"), join(root, name));
    return [];
  }) as typeof fs.readdirSync);
  return () => isDone;
}

/** The state between the two renames of another process; only calls of this process can be paused at that moment. */
function away(root: string, name: string): () => boolean {
  const openSync = fs.openSync as (...given: unknown[]) => number;
  let isDone = false;
  const spy = vi.spyOn(fs, "openSync").mockImplementation(((...given: unknown[]) => {
    if (given[0] !== join(root, name, "SKILL.md")) return openSync(...given);
    spy.mockRestore();
    isDone = true;
    fs.renameSync(join(root, name), join(root, `.${name}`));
    try {
      return openSync(...given);
    } finally {
      fs.renameSync(join(root, `.${name}`), join(root, name));
    }
  }) as typeof fs.openSync);
  return () => isDone;
}
