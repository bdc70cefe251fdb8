import { readText, type SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { layered } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "../skill-file.js";

const body = (name: string, text: string) => skillFile(name, undefined, text);
const local = () =>
  named("local", memoryRepository({ skills: { shared: body("shared", "local"), mine: body("mine", "") } }));
const remote = () =>
  named("remote", memoryRepository({ skills: { shared: body("shared", "remote"), team: body("team", "") } }));

function named<Repository extends SkillRepository>(label: string, repository: Repository): Repository {
  return { ...repository, label };
}

describe("one name in two repositories", () => {
  test("is the first one's in the list, and the hidden one is reported (LIST-07)", async () => {
    const { skills, diagnostics } = await layered(local(), remote()).list();
    expect(skills.map(({ name }) => name)).toEqual(["mine", "shared", "team"]);
    expect(diagnostics).toMatchObject([{ code: "skill.shadowed", severity: "warning", path: "shared" }]);
    expect(diagnostics[0]?.message).toBe(
      'The skill "shared" of "remote" (shared) is hidden by the one of "local" (shared).',
    );
    const [, shared] = skills;
    expect(shared?.changeMark).toBe((await local().load("shared")).changeMark);
  });

  test("is loaded, opened and read from the first one", async () => {
    for (const [repository, expected] of [
      [layered(local(), remote()), "local"],
      [layered(remote(), local()), "remote"],
    ] as const) {
      expect((await repository.load("shared")).body).toBe(expected);
      expect(await readText(await repository.open("shared", "SKILL.md"), 1000)).toContain(`\n${expected}\n`);
      const read = await repository.reader("shared");
      expect(Buffer.from((await read("SKILL.md")) as Uint8Array).toString()).toContain(`\n${expected}\n`);
    }
  });

  test("comes from a later one where earlier ones have only a broken one", async () => {
    const broken = memoryRepository({ skills: { team: { "SKILL.md": "no header" } } });
    const repository = layered(broken, remote());
    const { skills, broken: told } = await repository.list();
    expect([skills.map(({ name }) => name), told.map(({ path }) => path)]).toEqual([
      ["shared", "team"],
      ["team"],
    ]);
    expect((await repository.load("team")).name).toBe("team");
  });

  test("a path in an earlier layer never hides a name in a later one, as in the list", async () => {
    const above = memoryRepository({ skills: { team: skillFile("other") } });
    const repository = layered(above, remote());
    expect((await repository.load("team")).name).toBe("team");
    expect((await layered(above, local()).load("team")).name).toBe("other");
  });
});

test("a layer without a reader is read by open", async () => {
  const { reader, ...rest } = remote();
  const read = await layered(memoryRepository(), rest).reader("team");
  expect(await readText((await read("SKILL.md")) as AsyncIterable<Uint8Array>, 1000)).toContain("name: team");
  await expect(layered(memoryRepository(), rest).reader("nobody")).rejects.toMatchObject({
    code: "SKILL_NOT_FOUND",
  });
});

describe("changing", () => {
  test("affects only the first; a deletion makes a later skill visible", async () => {
    const [own, team] = [memoryRepository(), remote()];
    const repository = layered(own, team);
    await repository.upload([{ path: "SKILL.md", content: body("shared", "mine now")["SKILL.md"] }]);
    expect((await repository.load("shared")).body).toBe("mine now");
    expect((await team.load("shared")).body).toBe("remote");
    expect(await repository.delete("shared")).toBe(true);
    expect((await repository.load("shared")).body).toBe("remote");
    expect(await repository.delete("shared")).toBe(false);
  });

  test("exists only where the first supports it, in the type too", () => {
    const { upload, delete: remove, ...readOnly } = memoryRepository();
    const repository = layered(readOnly, memoryRepository());
    // @ts-expect-error: the first layer is read-only.
    expect(repository.upload).toBeUndefined();
    // @ts-expect-error: the first layer is read-only.
    expect(repository.delete).toBeUndefined();
    expect(Object.keys(layered(memoryRepository(), readOnly))).toEqual(
      expect.arrayContaining(["upload", "delete"]),
    );
  });
});

test("close closes none of them, and the label names all on one line", async () => {
  let closed = 0;
  const first = { ...local(), close: async () => void closed++ };
  const repository = layered(first, remote());
  await repository.close();
  expect([closed, repository.label]).toEqual([0, "local over remote"]);
  const many = Array.from({ length: 50 }, () => remote());
  expect([...layered(first, ...many).label]).toHaveLength(200);
});

test("diagnostics of a whole repository name it", async () => {
  const cut = { code: "scan.limit", severity: "warning", message: "Too deep.", hint: "Go up." } as const;
  const list: SkillRepository["list"] = async () => ({ skills: [], broken: [], diagnostics: [cut] });
  const { diagnostics } = await layered(memoryRepository({ skills: skillFiles("alpha") }), {
    ...remote(),
    list,
  }).list();
  expect(diagnostics).toEqual([{ ...cut, message: "remote: Too deep." }]);
});
