import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

test("a reader returns the current content of a file that changed after the skill was loaded, even of a new one", async () => {
  await writeSkills(root, { demo: { "SKILL.md": skillMarkdown("demo"), "a.txt": "a" } });
  const repository = fsRepository({ root });
  await repository.load("demo");
  const read = await repository.reader?.("demo");
  await writeFile(join(root, "demo/a.txt"), "other");
  await writeFile(join(root, "demo/b.txt"), "new");
  for (const [path, text] of [
    ["a.txt", "other"],
    ["b.txt", "new"],
  ] as const)
    expect(await readText((await read?.(path)) ?? "", 100)).toBe(text);
});

test("LINK-01: a reader follows no link that was created after the skill was loaded", async () => {
  const skills = join(root, "skills");
  await writeSkills(skills, { demo: { "SKILL.md": skillMarkdown("demo"), "docs/a.txt": "a", "b.txt": "b" } });
  const outside = join(root, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "a.txt"), "secret");
  const repository = fsRepository({ root: skills });
  await repository.load("demo");
  const read = await repository.reader?.("demo");
  await rename(join(skills, "demo/docs"), join(skills, "demo/moved"));
  await symlink(outside, join(skills, "demo/docs"));
  await rm(join(skills, "demo/b.txt"));
  await symlink(join(outside, "a.txt"), join(skills, "demo/b.txt"));
  for (const path of ["docs/a.txt", "b.txt"])
    await expect(read?.(path)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
});

test.each([10, 1_000_000])("an opened file of %i bytes is not read after an abort", async (size) => {
  await writeSkills(root, { demo: { "SKILL.md": skillMarkdown("demo"), "a.txt": "a".repeat(size) } });
  const controller = new AbortController();
  const stream = await fsRepository({ root }).open("demo", "a.txt", { signal: controller.signal });
  controller.abort();
  await expect(readText(stream, size)).rejects.toMatchObject({ code: "ABORTED" });
});
