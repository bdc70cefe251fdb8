import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CatalogSnapshot, readText } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../repository-fs/test/fs-subject.js";
import { skillFile } from "./skill-file.js";

const FOLDERS = ["shout", "elsewhere", "deep/down/elsewhere"];

/** A catalogue over one skill in that folder, and a way to write its SKILL.md. */
async function setUp(folder: string) {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  await mkdir(join(root, folder), { recursive: true });
  const write = (text: string) => writeFile(join(root, folder, "SKILL.md"), text);
  await write(skillFile("shout")["SKILL.md"]);
  await writeFile(join(root, folder, "a.txt"), "a");
  const repository = fsRepository({ root });
  onTestFinished(() => repository.close());
  const box = skillBox({ own: repository });
  onTestFinished(() => box.close());
  return { box, write, remove: () => rm(join(root, folder), { recursive: true }) };
}

test.each(FOLDERS)(
  "a skill that breaks stays listed as it was, marked stale, in the folder %s",
  async (folder) => {
    const { box, write } = await setUp(folder);
    const before = (await box.snapshot()).skills[0];
    await box.load("shout");
    await write("---\nname: shout\n---\n");
    const { skills, broken } = await box.snapshot();
    expect(skills).toMatchObject([
      {
        name: "shout",
        description: before?.description,
        changeMark: before?.changeMark,
        diagnostics: expect.arrayContaining([
          expect.objectContaining({
            code: "skill.stale",
            severity: "warning",
            message: expect.stringContaining("no description"),
          }),
        ]),
      },
    ]);
    expect(broken).toMatchObject([{ path: folder }]);
    const loaded = await box.load("shout");
    expect(loaded.body).toBe("Body of shout");
    expect(loaded.diagnostics.filter(({ code }) => code === "skill.stale")).toHaveLength(1);
    expect(await readText(await box.open("shout", "a.txt"), 10)).toBe("a");
  },
);

test.each(FOLDERS)(
  "a skill that breaks and was never loaded is invalid and not missing, in the folder %s",
  async (folder) => {
    const { box, write } = await setUp(folder);
    await box.snapshot();
    await write("---\nname: shout\n---\n");
    await box.snapshot();
    await expect(box.load("shout")).rejects.toMatchObject({ code: "SKILL_INVALID" });
  },
);

test.each(FOLDERS)(
  "a skill that is repaired or removed is no longer stale, in the folder %s",
  async (folder) => {
    const { box, write, remove } = await setUp(folder);
    await box.snapshot();
    await write("none");
    expect(codes(await box.snapshot())).toContain("skill.stale");
    await write("none either");
    expect(codes(await box.snapshot())).toContain("skill.stale");
    await write(skillFile("shout", "Repaired.")["SKILL.md"]);
    expect((await box.snapshot()).skills).toMatchObject([{ description: "Repaired." }]);
    expect(codes(await box.snapshot())).not.toContain("skill.stale");
    await write("none");
    await box.snapshot();
    await remove();
    expect((await box.snapshot()).skills).toEqual([]);
    await expect(box.load("shout")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
  },
);

test("a skill that moved is listed once, and one that was always broken is not listed", async () => {
  const good = memoryRepository({ skills: { a: skillFile("one"), c: { "SKILL.md": "none" } } });
  await using box = skillBox({ own: good });
  await box.snapshot();
  const lists = async () => ({
    skills: [{ ...(await good.load("one")), path: "b" }],
    broken: [
      { path: "a", diagnostics: [] },
      { path: "c", diagnostics: [] },
    ],
    diagnostics: [],
  });
  good.list = lists;
  expect((await box.snapshot()).skills.map(({ name, path }) => [name, path])).toEqual([["one", "b"]]);
});

function codes({ skills: [skill] }: CatalogSnapshot): readonly string[] {
  return skill?.diagnostics.map(({ code }) => code) ?? [];
}
