import type { CatalogChange, SkillRepository, WritableSkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { memoryVersions } from "../../repository-memory/test/broken/memory-versions.js";
import { skillFile, skillFiles } from "./skill-file.js";

const files = (name: string, body?: string) => [
  { path: "SKILL.md", content: skillFile(name, undefined, body)["SKILL.md"] },
];

describe("uploadAll", () => {
  test("uploads in order; a failure does not stop the others", async () => {
    const box = skillBox({ own: memoryRepository() });
    const outcomes = await box.uploadAll("own", [files("a"), [], files("b")]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled", value: { name: "a" } },
      { status: "rejected", reason: { code: "SKILL_INVALID" } },
      { status: "fulfilled", value: { name: "b" } },
    ]);
    expect((await box.snapshot()).skills.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("is refused as a whole where the source is read-only", async () => {
    const { upload: _, ...readOnly } = memoryRepository();
    const box = skillBox({ own: readOnly as SkillRepository });
    await expect(box.uploadAll("own", [])).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});

describe("restore", () => {
  test.each<[string, () => WritableSkillRepository]>([
    ["what a repository keeps of deleted skills", memoryRepository],
    ["the newest version, where versions are kept", memoryVersions],
  ])("EDIT-09: restores %s", async (_, make) => {
    const box = skillBox({ own: make() });
    for (const body of ["first", "second"]) await box.upload("own", files("a", body));
    await box.delete("own", "a");
    await expect(box.load("a")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
    expect((await box.restore("own", "a")).body).toBe("second");
    expect((await box.load("a")).body).toBe("second");
    await expect(box.restore("own", "never")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
    await expect(box.restore("own", "a")).rejects.toMatchObject({ code: expect.stringMatching(/^SKILL_/) });
  });

  test("is UNSUPPORTED where nothing is kept", async () => {
    const { restore: _r, deleted: _d, ...plain } = memoryRepository();
    const box = skillBox({ own: plain as SkillRepository });
    await expect(box.restore("own", "a")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});

describe("the changes passed to a listener", () => {
  function listening() {
    const memory = memoryRepository({ skills: skillFiles("a", "b", "c") });
    const told: CatalogChange[] = [];
    const box = skillBox({ own: memory });
    box.subscribe((change) => told.push(change));
    return { memory, told, box };
  }

  test("name the skills that were added, removed and changed elsewhere", async () => {
    const { memory, told, box } = listening();
    await box.snapshot();
    await memory.upload(files("b", "other"));
    await memory.delete("c");
    await memory.upload(files("d"));
    await box.snapshot();
    const change = (kind: string, name: string) => ({ kind, name, source: "own" });
    const skills = [change("changed", "b"), change("removed", "c"), change("added", "d")];
    expect(told).toEqual([{ complete: true, skills }]);
  });

  test("contain an upload made here once, and other changes with the next snapshot", async () => {
    const { memory, told, box } = listening();
    await box.snapshot();
    await memory.delete("a");
    await box.upload("own", files("b", "other"));
    await box.upload("own", files("e"));
    await box.snapshot();
    expect(told.map(({ skills }) => skills.map(({ kind, name }) => `${kind} ${name}`))).toEqual([
      ["changed b"],
      ["added e"],
      ["removed a"],
    ]);
  });
});

describe("the cache of loaded skills", () => {
  async function loadsOf(cache: { entries?: number; bytes?: number }, ...wanted: string[]) {
    const memory = memoryRepository({ skills: skillFiles("a", "b", "c") });
    const loads: string[] = [];
    const load: typeof memory.load = (name, options) => {
      loads.push(name);
      return memory.load(name, options);
    };
    const box = skillBox({ own: { ...memory, load } }, { cache });
    for (const name of wanted) await box.load(name);
    return loads.join("");
  }

  test("keeps up to its number of skills, the most recently used", async () => {
    expect(await loadsOf({ entries: 2 }, "a", "b", "a", "c", "a", "b")).toBe("abcb");
    expect(await loadsOf({ entries: 0 }, "a", "a")).toBe("aa");
  });

  test("keeps up to its number of bytes, and nothing larger", async () => {
    expect(await loadsOf({ bytes: 1 }, "a", "a")).toBe("aa");
    expect(await loadsOf({ bytes: 1500 }, "a", "b", "b", "a")).toBe("aba");
    expect(await loadsOf({}, "a", "b", "b", "a")).toBe("ab");
  });

  test.each([-1, 1.5, Number.NaN])("refuses the limit %s", (entries) => {
    expect(() => skillBox({}, { cache: { entries } })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
