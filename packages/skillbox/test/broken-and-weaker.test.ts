import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { layered, skillBox } from "@skillwright/skillbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../repository-fs/test/fs-subject.js";
import { skillFile } from "./skill-file.js";

const WAYS = {
  "a stronger source": (own: SkillRepository, community: SkillRepository) => skillBox({ own, community }),
  "a stronger layer": (own: SkillRepository, community: SkillRepository) =>
    skillBox({ both: layered(own, community) }),
};
const FOLDERS = ["shout", "elsewhere"];
const BROKEN = "---\nname: shout\n---\n";

describe.each(Object.entries(WAYS))("a skill that breaks in %s", (_, boxOver) => {
  describe.each(FOLDERS)("in the folder %s", (folder) => {
    async function setUp() {
      const { root, dispose } = await temporaryDirectory();
      onTestFinished(dispose);
      await mkdir(join(root, folder), { recursive: true });
      const write = (text: string) => writeFile(join(root, folder, "SKILL.md"), text);
      await write(skillFile("shout", "Own.", "own")["SKILL.md"]);
      const own = fsRepository({ root });
      onTestFinished(() => own.close());
      const files = { ...skillFile("shout", "Foreign.", "foreign"), "only.txt": "foreign" };
      const box = boxOver(own, memoryRepository({ skills: { shout: files } }));
      onTestFinished(() => box.close());
      expect((await box.snapshot()).skills).toMatchObject([{ description: "Own." }]);
      return { box, write, remove: () => rm(join(root, folder), { recursive: true }) };
    }

    test("is not replaced by a weaker one of the same name, neither before nor after the next snapshot", async () => {
      const { box, write } = await setUp();
      await write(BROKEN);
      for (const _look of ["before", "after"]) {
        await expect(box.load("shout")).rejects.toMatchObject({ code: "SKILL_INVALID" });
        expect((await box.snapshot()).skills).toMatchObject([
          {
            description: "Own.",
            diagnostics: expect.arrayContaining([expect.objectContaining({ code: "skill.stale" })]),
          },
        ]);
      }
    });

    test("stays as it was loaded", async () => {
      const { box, write } = await setUp();
      expect((await box.load("shout")).body).toBe("own");
      await write(BROKEN);
      expect((await box.load("shout")).body).toBe("own");
      await box.snapshot();
      expect((await box.load("shout")).body).toBe("own");
    });

    test("gives way to the weaker one when it is removed, and is itself again when it is repaired", async () => {
      const { box, write, remove } = await setUp();
      await write(BROKEN);
      await box.snapshot();
      await write(skillFile("shout", "Own.", "repaired")["SKILL.md"]);
      expect((await box.load("shout")).body).toBe("repaired");
      await write(BROKEN);
      await box.snapshot();
      await remove();
      expect((await box.load("shout")).body).toBe("foreign");
      expect((await box.snapshot()).skills).toMatchObject([{ description: "Foreign." }]);
    });
  });
});

test("layers do not find or load a weaker skill in place of one that broke since it was listed", async () => {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  await mkdir(join(root, "shout"));
  await writeFile(join(root, "shout/SKILL.md"), skillFile("shout", "Own.")["SKILL.md"]);
  await using own = fsRepository({ root });
  const both = layered(own, memoryRepository({ skills: { shout: skillFile("shout", "Foreign.") } }));
  await both.list();
  await writeFile(join(root, "shout/SKILL.md"), BROKEN);
  expect(await both.find?.("shout")).toBeUndefined();
  await expect(both.load("shout")).rejects.toMatchObject({ code: "SKILL_INVALID" });
  await rm(join(root, "shout"), { recursive: true });
  expect(await both.find?.("shout")).toMatchObject({ description: "Foreign." });
  expect(await both.load("shout")).toMatchObject({ description: "Foreign." });
});

test("a skill that is removed from a layer is not kept as broken because of another layer's skill at its path", async () => {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  for (const [folder, name] of [
    ["a/csv", "broken"],
    ["b/csv", "csv"],
  ] as const) {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, "SKILL.md"), skillFile(name)["SKILL.md"]);
  }
  await using a = fsRepository({ root: join(root, "a") });
  await using b = fsRepository({ root: join(root, "b") });
  await using box = skillBox({ both: layered(a, b) });
  const names = async () => (await box.snapshot()).skills.map(({ name }) => name);
  expect(await names()).toEqual(["broken", "csv"]);
  await writeFile(join(root, "a/csv/SKILL.md"), "none");
  expect(await names()).toEqual(["broken", "csv"]);
  await rm(join(root, "b/csv"), { recursive: true });
  expect(await names()).toEqual(["broken"]);
  await expect(box.load("csv")).rejects.toMatchObject({ code: "SKILL_INVALID" });
});
