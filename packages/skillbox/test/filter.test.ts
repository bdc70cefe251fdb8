import { memoryRepository } from "@skillwright/repository-memory";
import { type SkillBoxOptions, type SkillFilter, skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

function box(options?: SkillBoxOptions) {
  return skillBox(
    {
      project: memoryRepository({ skills: { ...skillFiles("a", "b"), bad: { "SKILL.md": "no header" } } }),
      user: memoryRepository({ skills: { ...skillFiles("c"), a: skillFile("a", "The user's a") } }),
    },
    options,
  );
}

type Seen = { skills: readonly { name: string; source: string }[] };
const seen = ({ skills }: Seen) => skills.map(({ name, source }) => `${name} of ${source}`);

describe("skills that a filter allows", () => {
  test.each<[string, SkillFilter, string[]]>([
    ["nothing given is all", {}, ["a of project", "b of project", "c of user"]],
    ["LIST-13: an empty list of skills is none", { skills: [] }, []],
    ["LIST-14: only([a]) is a, whatever its source", { skills: ["a"] }, ["a of project"]],
    ["a name of one source is that source's", { skills: [{ name: "a", source: "user" }] }, ["a of user"]],
    [
      "LIST-10: with the sources [user] the project's skills are absent",
      { sources: ["user"] },
      ["a of user", "c of user"],
    ],
    ["an empty list of sources is none", { sources: [] }, []],
    ["a condition of one's own", { visible: ({ name }) => name > "a" }, ["b of project", "c of user"]],
    [
      "all of it together",
      { skills: ["a", "c"], sources: ["user"], visible: ({ name }) => name > "a" },
      ["c of user"],
    ],
  ])("%s: for a request, a view and a box alike", async (_, only, expected) => {
    expect(seen(await box().snapshot({ only }))).toEqual(expected);
    expect(seen(await box().view(only).snapshot())).toEqual(expected);
    expect(seen(await box({ only }).snapshot())).toEqual(expected);
  });

  test("LIST-13: with an empty list not even a source or a broken skill is shown", async () => {
    const snapshot = await box().snapshot({ only: { skills: [], sources: [] } });
    expect(snapshot).toMatchObject({ sources: [], skills: [], broken: [], diagnostics: [] });
  });

  test("LIST-15: every call answers a hidden skill like a missing one", async () => {
    const hiding = box().view({ skills: ["b"] });
    const missing = box().view({ skills: ["b"] });
    for (const ask of [
      (name: string, catalog = hiding) => catalog.load(name),
      (name: string, catalog = hiding) => catalog.open(name, "SKILL.md"),
      (name: string, catalog = hiding) => catalog.reader?.(name) ?? Promise.reject(),
    ]) {
      const told = await ask("a").catch((error: Error) => error.message.replaceAll('"a"', "it"));
      const other = await ask("zzz", missing).catch((error: Error) =>
        error.message.replaceAll('"zzz"', "it"),
      );
      expect(told).toBe(other);
      await expect(ask("bad")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
    }
    expect(await hiding.search("does a things")).toMatchObject([{ skill: { name: "b" } }]);
  });

  test("a request narrows what the box allows and never widens it", async () => {
    const narrow = box({ only: { skills: ["a"] } });
    expect(seen(await narrow.snapshot({ only: { skills: ["a", "b"] } }))).toEqual(["a of project"]);
    await expect(narrow.load("b", { only: {} })).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
    await expect(narrow.upload("nowhere", [])).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  test("LIST-24: another filter gives another fingerprint, the same one gives the same", async () => {
    const one = box();
    const whole = await one.snapshot();
    const part = await one.snapshot({ only: { skills: ["a"] } });
    expect(part.fingerprint).not.toBe(whole.fingerprint);
    expect((await one.snapshot({ only: { skills: ["a"] } })).fingerprint).toBe(part.fingerprint);
    const [b, c] = [
      await one.snapshot({ only: { skills: ["b"] } }),
      await one.snapshot({ only: { skills: ["c"] } }),
    ];
    expect(b.fingerprint).not.toBe(c.fingerprint);
  });
});

describe("switching skills off", () => {
  test("hides every copy of the name, with a diagnostic, until it is switched on", async () => {
    const catalogue = box({ disabled: ["a"] });
    const { skills, diagnostics } = await catalogue.snapshot();
    expect(skills.map(({ name }) => name)).toEqual(["b", "c"]);
    expect(diagnostics).toMatchObject([
      { code: "skill.disabled", message: 'The skill "a" of "project" is disabled.' },
      { code: "skill.disabled", message: 'The skill "a" of "user" is disabled.' },
    ]);
    await expect(catalogue.load("a")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
    expect([catalogue.enable("a"), catalogue.enable("a")]).toEqual([true, false]);
    expect((await catalogue.load("a")).source).toBe("project");
  });

  test("takes effect at once, even for files of a skill that was read before", async () => {
    const catalogue = box();
    await catalogue.load("b");
    expect([catalogue.disable("b"), catalogue.disable("b")]).toEqual([true, false]);
    await expect(catalogue.open("b", "SKILL.md")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
  });
});
