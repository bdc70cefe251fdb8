import { readText, type SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

/** A repository that records the names of loaded skills and the number of listings. */
function counted(repository: SkillRepository) {
  const calls = { loads: [] as string[], lists: 0 };
  const counting: SkillRepository = {
    ...repository,
    load: (name, options) => {
      calls.loads.push(name);
      return repository.load(name, options);
    },
    list: (options) => {
      calls.lists++;
      return repository.list(options);
    },
  };
  return { repository: counting, calls };
}

describe("load", () => {
  test("returns body, manifest, source and trust", async () => {
    const box = skillBox({ own: memoryRepository({ skills: skillFiles("alpha") }) });
    expect(await box.load("alpha")).toMatchObject({
      name: "alpha",
      body: "Body of alpha",
      source: "own",
      trusted: true,
      manifest: { files: [{ path: "SKILL.md" }] },
    });
  });

  test("does not read an unchanged skill again, and reads a changed one", async () => {
    const memory = memoryRepository({ skills: skillFiles("alpha") });
    const { repository, calls } = counted(memory);
    const box = skillBox({ own: repository });
    await box.load("alpha");
    await box.load("alpha");
    expect(calls.loads).toEqual(["alpha"]);
    await memory.upload([{ path: "SKILL.md", content: skillFile("alpha", "x", "New body")["SKILL.md"] }]);
    expect((await box.load("alpha")).body).toBe("New body");
    expect(calls.loads).toEqual(["alpha", "alpha"]);
  });

  test("returns frozen results, so that no caller changes another's", async () => {
    const box = skillBox({ own: memoryRepository({ skills: skillFiles("alpha") }) });
    for (let again = 0; again < 2; again++) {
      const skill = await box.load("alpha");
      expect(() => Object.assign(skill, { body: "" })).toThrow(TypeError);
      expect(() => (skill.manifest.files as unknown[]).push({})).toThrow(TypeError);
      expect(skill.manifest.files).toHaveLength(1);
    }
  });

  test("freezes none of a repository's own objects", async () => {
    const repository = memoryRepository({ skills: skillFiles("alpha") });
    const own = await repository.load("alpha");
    await skillBox({ own: { ...repository, load: async () => own } }).load("alpha");
    expect(Object.isFrozen(own) || Object.isFrozen(own.manifest.files)).toBe(false);
  });

  test("accepts a path where there is no such name", async () => {
    const box = skillBox({
      own: memoryRepository({ skills: { "workflow/check": skillFile("consistency-checker") } }),
    });
    expect((await box.load("workflow/check")).name).toBe("consistency-checker");
  });

  test("an unknown name is reported with similar ones", async () => {
    const box = skillBox({
      own: memoryRepository({ skills: skillFiles("csv-analyst", "pdf-reader", "code-reviewer") }),
    });
    await expect(box.load("csvanalyst")).rejects.toMatchObject({
      code: "SKILL_NOT_FOUND",
      message: 'There is no skill "csvanalyst". Did you mean "csv-analyst"?',
      details: { suggestions: ["csv-analyst"] },
    });
    await expect(box.load("pdf_raeder")).rejects.toMatchObject({ details: { suggestions: ["pdf-reader"] } });
    await expect(box.load("zzz")).rejects.toMatchObject({ details: { suggestions: [] } });
  });

  test("a broken skill is reported with what is wrong with it", async () => {
    const box = skillBox({ own: memoryRepository({ skills: { bad: { "SKILL.md": "no header" } } }) });
    await expect(box.load("bad")).rejects.toMatchObject({
      code: "SKILL_INVALID",
      message: expect.stringContaining("frontmatter"),
    });
  });
});

describe("open", () => {
  const skills = { alpha: { ...skillFile("alpha"), "docs/a.md": "Text" } };

  test("streams a file of the skill that the catalogue shows", async () => {
    const box = skillBox({
      own: memoryRepository({ skills }),
      team: memoryRepository({ skills: { alpha: skillFile("alpha") } }),
    });
    expect(await readText(await box.open("alpha", "docs/a.md"), 100)).toBe("Text");
    await expect(box.open("alpha", "b.md")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(box.open("beta", "b.md")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
  });

  test("costs no listing per file once the skill is known", async () => {
    const { repository, calls } = counted(memoryRepository({ skills }));
    const box = skillBox({ own: repository });
    await box.load("alpha");
    const before = calls.lists;
    await box.open("alpha", "docs/a.md");
    await box.open("alpha", "SKILL.md");
    expect(calls.lists).toBe(before);
  });

  test("finds a skill that moved to another source meanwhile", async () => {
    const own = memoryRepository({ skills });
    const box = skillBox({
      own,
      team: memoryRepository({ skills: { alpha: { ...skillFile("alpha"), "docs/a.md": "Team" } } }),
    });
    await box.load("alpha");
    await own.delete("alpha");
    expect(await readText(await box.open("alpha", "docs/a.md"), 100)).toBe("Team");
  });
});
