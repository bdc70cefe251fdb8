import type { SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

const holding = (...names: string[]) => memoryRepository({ skills: skillFiles(...names) });
const namesOf = async (box: { snapshot(): Promise<{ skills: readonly { name: string }[] }> }) =>
  (await box.snapshot()).skills.map(({ name }) => name);

/** A repository that tells who watches it. */
function watched(repository: SkillRepository) {
  const watches = { open: 0 };
  const watching = Object.assign(repository, {
    watch: async () => {
      watches.open++;
      const close = async () => void watches.open--;
      return { close, [Symbol.asyncDispose]: close };
    },
  });
  return { repository: watching, watches };
}

describe("the sources of a living box", () => {
  test("can be added and removed; snapshots, loads, searches and views follow", async () => {
    const box = skillBox({ one: holding("a") });
    const view = box.view({});
    const before = await box.snapshot();
    box.addSource("two", holding("b"));
    expect(await namesOf(box)).toEqual(["a", "b"]);
    expect(await namesOf(view)).toEqual(["a", "b"]);
    expect((await box.load("b")).source).toBe("two");
    expect((await box.search("Body of b")).map(({ skill }) => skill.name)).toContain("b");
    expect((await box.snapshot()).fingerprint).not.toBe(before.fingerprint);
    expect([box.removeSource("two"), box.removeSource("two")]).toEqual([true, false]);
    expect(await namesOf(box)).toEqual(["a"]);
    await expect(box.load("b")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
    expect((await box.snapshot()).fingerprint).toBe(before.fingerprint);
    await box.close();
  });

  test("are placed last, or before a named one", async () => {
    const source = (body: string) => memoryRepository({ skills: { a: skillFile("a", "A.", body) } });
    const box = skillBox({ one: source("one") });
    box.addSource("last", source("last"));
    expect((await box.load("a")).source).toBe("one");
    box.addSource("first", source("first"), { before: "one" });
    expect((await box.load("a")).source).toBe("first");
    box.removeSource("first");
    box.removeSource("one");
    expect((await box.load("a")).source).toBe("last");
    await box.close();
  });

  test("can be replaced by another repository under the same name, whose skills are read anew", async () => {
    const fixed = (body: string) => {
      const repository = memoryRepository({ skills: { a: skillFile("a", "A.", body) } });
      const list = repository.list.bind(repository);
      return Object.assign(repository, {
        list: async () => {
          const listing = await list();
          return { ...listing, skills: listing.skills.map((skill) => ({ ...skill, changeMark: "same" })) };
        },
      });
    };
    const box = skillBox({ one: fixed("old") });
    expect((await box.load("a")).body.trim()).toBe("old");
    box.removeSource("one");
    box.addSource("one", fixed("new"));
    expect((await box.load("a")).body.trim()).toBe("new");
    await box.close();
  });

  test("notify listeners; an added source is watched, a removed one no longer", async () => {
    const first = watched(holding("a"));
    const second = watched(holding("b"));
    const box = skillBox({ one: first.repository });
    let changes = 0;
    const listening = box.subscribe(() => changes++);
    await expect.poll(() => first.watches.open).toBe(1);
    box.addSource("two", second.repository);
    expect(changes).toBeGreaterThan(0);
    await expect.poll(() => second.watches.open).toBe(1);
    box.removeSource("one");
    await expect.poll(() => first.watches.open).toBe(0);
    expect(second.watches.open).toBe(1);
    await listening.close();
    expect(second.watches.open).toBe(0);
    await box.close();
  });

  test("of a tenant are its own, and only it removes them", async () => {
    const box = skillBox({ shared: holding("common") });
    const acme = box.forTenant("acme");
    const globex = box.forTenant("globex");
    acme.addSource("plans", holding("plan"));
    expect([await namesOf(acme), await namesOf(globex), await namesOf(box)]).toEqual([
      ["common", "plan"],
      ["common"],
      ["common"],
    ]);
    expect([globex.removeSource("plans"), acme.removeSource("shared")]).toEqual([false, false]);
    expect(acme.removeSource("plans")).toBe(true);
    expect(await namesOf(acme)).toEqual(["common"]);
    await box.close();
  });

  test("are refused under a name in use, a bad name, before an unknown one, and after close", async () => {
    const box = skillBox({ one: holding("a") });
    const code = (work: () => unknown) => {
      try {
        work();
        return undefined;
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    expect([
      code(() => box.addSource("one", holding("b"))),
      code(() => box.addSource("7", holding("b"))),
      code(() => box.addSource("two", {} as SkillRepository)),
      code(() => box.addSource("two", holding("b"), { before: "three" })),
    ]).toEqual(["CONFLICT", "CONFIG_INVALID", "CONFIG_INVALID", "INPUT_INVALID"]);
    expect(await namesOf(box)).toEqual(["a"]);
    await box.close();
    expect(code(() => box.addSource("two", holding("b")))).toBe("CLOSED");
  });
});
