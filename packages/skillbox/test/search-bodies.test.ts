import { SkillError, type SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile } from "./skill-file.js";

const quiet = (name: string, body: string) => ({
  "SKILL.md": `---\nname: ${name}\ndescription: Does things.\n---\n${body}\n`,
});

const skills = {
  one: quiet("one", "Rotate the turbines before the inspection."),
  two: quiet("two", "Peel potatoes, boil potatoes."),
};

describe("searching bodies", () => {
  test("finds what only the body says, in any form of the word", async () => {
    const box = skillBox({ own: memoryRepository({ skills }) });
    expect(await found(box, "turbine rotation")).toEqual(["one"]);
    expect(await found(box, "boiling a potato")).toEqual(["two"]);
  });

  test("a listing and a snapshot open nothing; the first search opens each SKILL.md once, later ones what changed", async () => {
    const { repository, memory, opened } = counted();
    const box = skillBox({ own: repository });
    await box.snapshot();
    expect(opened).toEqual([]);
    await box.search("turbines");
    await box.search("potatoes");
    expect(opened.sort()).toEqual(["one", "two"]);
    await memory.upload([{ path: "SKILL.md", content: quiet("two", "Bake bread.")["SKILL.md"] }]);
    expect(await found(box, "bread")).toEqual(["two"]);
    expect(await found(box, "potatoes")).toEqual([]);
    expect(opened.sort()).toEqual(["one", "two", "two"]);
  });

  test("a body that was loaded before is not opened again", async () => {
    const { repository, opened } = counted();
    const box = skillBox({ own: repository });
    await box.load("one");
    await box.search("turbines");
    expect(opened).toEqual(["two"]);
  });

  test("of a source with searchBodies false none is opened", async () => {
    const { repository, opened } = counted();
    const box = skillBox({ own: { repository, searchBodies: false } });
    expect(await found(box, "turbines")).toEqual([]);
    expect(await found(box, "one")).toEqual(["one"]);
    expect(opened).toEqual([]);
  });

  test("a body that cannot be read leaves the skill to its name and description", async () => {
    const { repository } = counted();
    const open: SkillRepository["open"] = async () => {
      throw new SkillError("BACKEND_FAILED", "The disk is gone.");
    };
    const box = skillBox({ own: { ...repository, open } });
    expect(await found(box, "one")).toEqual(["one"]);
  });

  test("searches that overlap open each body once; an aborted one ends and harms no other", async () => {
    const { repository, opened } = counted();
    const box = skillBox({ own: repository });
    const [first, second, aborted] = await Promise.allSettled([
      found(box, "turbines"),
      found(box, "potatoes"),
      box.search("one", { signal: AbortSignal.abort() }),
    ]);
    expect([first, second]).toMatchObject([{ value: ["one"] }, { value: ["two"] }]);
    expect(SkillError.is((aborted as PromiseRejectedResult).reason, "ABORTED")).toBe(true);
    expect(opened.sort()).toEqual(["one", "two"]);
  });

  test("what a view does not show is not found through it, though the index is shared", async () => {
    const box = skillBox({ own: memoryRepository({ skills }) });
    await box.search("turbines");
    expect(
      (await box.search("turbines", { only: { skills: ["two"] } })).map(({ skill }) => skill.name),
    ).toEqual([]);
    expect(await found(box.view({ skills: ["one"] }), "turbines")).toEqual(["one"]);
  });

  test("ten words more of a long body do not beat a short one that is about the word", async () => {
    const long = skillFile("long", "Things.");
    const body = Array.from({ length: 2000 }, (_, at) => `word${at}`).join(" ");
    const box = skillBox({
      own: memoryRepository({
        skills: {
          long: { "SKILL.md": `${long["SKILL.md"]}\n${body} wind wind turbine` },
          short: quiet("short", "Wind and turbine."),
        },
      }),
    });
    expect((await found(box, "wind turbine"))[0]).toBe("short");
  });
});

function counted() {
  const memory = memoryRepository({ skills });
  const opened: string[] = [];
  const open: SkillRepository["open"] = async (name, path, options) => {
    opened.push(name);
    return await memory.open(name, path, options);
  };
  return { memory, opened, repository: { ...memory, open } };
}

async function found(box: Pick<ReturnType<typeof skillBox>, "search">, query: string): Promise<string[]> {
  return (await box.search(query)).map(({ skill }) => skill.name);
}
