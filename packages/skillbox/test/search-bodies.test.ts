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
  test("finds words that occur only in the body, in any form", async () => {
    const box = skillBox({ own: memoryRepository({ skills }) });
    expect(await found(box, "turbine rotation")).toEqual(["one"]);
    expect(await found(box, "boiling a potato")).toEqual(["two"]);
  });

  test("a listing and a snapshot open nothing; the first search opens each SKILL.md once, later ones open changed files", async () => {
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

  test("no body of a source with searchBodies false is opened", async () => {
    const { repository, opened } = counted();
    const box = skillBox({ own: { repository, searchBodies: false } });
    expect(await found(box, "turbines")).toEqual([]);
    expect(await found(box, "one")).toEqual(["one"]);
    expect(opened).toEqual([]);
  });

  test("a skill whose body cannot be read is found by name and description", async () => {
    const { repository } = counted();
    const open: SkillRepository["open"] = async () => {
      throw new SkillError("BACKEND_FAILED", "The disk is gone.");
    };
    const box = skillBox({ own: { ...repository, open } });
    expect(await found(box, "one")).toEqual(["one"]);
  });

  test("concurrent searches open each body once; aborting one does not affect the others", async () => {
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

  test("a view finds only the skills that it shows, though the index is shared", async () => {
    const box = skillBox({ own: memoryRepository({ skills }) });
    await box.search("turbines");
    expect(
      (await box.search("turbines", { only: { skills: ["two"] } })).map(({ skill }) => skill.name),
    ).toEqual([]);
    expect(await found(box.view({ skills: ["one"] }), "turbines")).toEqual(["one"]);
  });

  test("ten more words of a long body do not beat a short one that is about the word", async () => {
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
