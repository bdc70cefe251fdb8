import type { MetadataIndex, SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { indexed } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFiles } from "../skill-file.js";
import { counted, namesOf, uploadOf } from "./counted.js";

describe("list", () => {
  test("costs one read of the index and no look at the repository", async () => {
    const { repository, index, asks } = counted("beta", "alpha");
    const skills = indexed(repository, index);
    const built = await skills.list();
    expect(asks()).toEqual(["read", "list", "write"]);
    expect(await skills.list()).toEqual(built);
    const other = indexed(repository, index, { checkEveryMs: Number.POSITIVE_INFINITY });
    expect(namesOf(await other.list())).toEqual(["alpha", "beta"]);
    expect(asks()).toEqual(["read", "read"]);
  });

  test("of several processes that find no index one builds it, the others read its result", async () => {
    const { memory, repository, plain, index, hooks, asks } = counted("alpha");
    hooks.beforeWrite = async () => void (await indexed(memory, plain).list());
    const { skills, diagnostics } = await indexed(repository, index).list();
    expect([namesOf({ skills }), diagnostics]).toEqual([["alpha"], []]);
    expect(asks()).toEqual(["read", "list", "write", "read"]);
    expect((await plain.read())?.revision).toBe(1);
  });

  test("repeats the diagnostics of the repository as a whole", async () => {
    const { repository, index } = counted("alpha");
    const cut = { code: "scan.limit", severity: "warning", message: "Too deep.", hint: "Go up." } as const;
    const list: SkillRepository["list"] = async () => ({ ...(await repository.list()), diagnostics: [cut] });
    const skills = indexed({ ...repository, list }, index);
    await skills.list();
    expect((await skills.list()).diagnostics).toEqual([cut]);
  });

  test("shows broken skills from the index too", async () => {
    const { index, asks } = counted();
    const broken = { x: { "SKILL.md": "no header" } };
    const skills = indexed(memoryRepository({ skills: { ...skillFiles("alpha"), ...broken } }), index);
    const built = await skills.list();
    asks();
    expect(built.broken.map(({ path }) => path)).toEqual(["x"]);
    expect(await skills.list()).toEqual(built);
    expect(asks()).toEqual(["read"]);
  });
});

describe("refresh", () => {
  test("writes what was added, changed and removed, based on the revision that was read", async () => {
    const { memory, repository, plain, index, hooks } = counted("alpha", "beta", "gamma");
    const skills = indexed(repository, index);
    await skills.list();
    await memory.upload(uploadOf("alpha", "changed"));
    await memory.delete("beta");
    await memory.upload(uploadOf("delta"));
    expect(namesOf(await skills.list())).toEqual(["alpha", "beta", "gamma"]);
    const written: unknown[] = [];
    hooks.beforeWrite = async ({ from, put, remove }) =>
      void written.push(from, namesOf({ skills: put }).sort(), remove);
    await skills.refresh();
    expect(written).toEqual([1, ["alpha", "delta"], ["beta"]]);
    expect(namesOf(await skills.list())).toEqual(["alpha", "delta", "gamma"]);
    expect((await plain.read())?.revision).toBe(2);
  });

  test("writes nothing where there are no differences", async () => {
    const { repository, index, asks } = counted("alpha");
    const skills = indexed(repository, index);
    await skills.list();
    await skills.upload(uploadOf("beta"));
    asks();
    await skills.refresh();
    expect(asks()).toEqual(["read", "list"]);
  });

  test("keeps a digest that the listing does not contain while nothing else differs", async () => {
    const { memory, repository, plain, index, asks } = counted();
    const list: SkillRepository["list"] = async () => {
      const { skills, ...rest } = await repository.list();
      return { ...rest, skills: skills.map(({ digest, ...summary }) => summary) };
    };
    const skills = indexed({ ...repository, list }, index);
    const { digest } = await skills.upload(uploadOf("alpha"));
    await skills.upload(uploadOf("beta"));
    asks();
    await skills.refresh();
    expect(asks()).toEqual(["read", "list"]);
    expect((await plain.read())?.skills.map((skill) => skill.digest)).toEqual([
      undefined,
      expect.any(String),
    ]);
    await memory.upload(uploadOf("beta", "changed"));
    await skills.refresh();
    expect((await plain.read())?.skills.map((skill) => skill.digest)).toEqual([undefined, undefined]);
    expect((await skills.load("alpha")).digest).toBe(digest);
  });

  test("looks again after a conflict, so that nothing older is written to the index", async () => {
    const { memory, repository, plain, index, hooks } = counted("alpha");
    const [skills, other] = [indexed(repository, index), indexed(memory, plain)];
    await skills.list();
    await memory.upload(uploadOf("beta"));
    hooks.beforeWrite = async () => void (await other.delete("beta"));
    await skills.refresh();
    expect(namesOf(await skills.list())).toEqual(["alpha"]);
  });

  test("fails with the index's error", async () => {
    const { repository, index, failing } = counted("alpha");
    failing.read = true;
    await expect(indexed(repository, index).refresh()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  });
});

describe("changes made in the repository without the index", () => {
  test("are listed soon after the first listing of a new process", async () => {
    const { memory, repository, plain, index } = counted("alpha");
    await indexed(repository, index).list();
    await memory.upload(uploadOf("beta"));
    const skills = indexed(repository, index);
    expect(namesOf(await skills.list())).toEqual(["alpha"]);
    await expect.poll(async () => namesOf((await plain.read()) ?? { skills: [] })).toEqual(["alpha", "beta"]);
    expect(namesOf(await skills.list())).toEqual(["alpha", "beta"]);
    await skills.close();
  });

  test("are looked for once per interval, however often the skills are listed", async () => {
    const { repository, index, asks } = counted("alpha");
    await indexed(repository, index).list();
    const skills = indexed(repository, index);
    for (let round = 0; round < 5; round++) await skills.list();
    // It waits for the running comparison.
    await skills.close();
    expect(asks().filter((ask) => ask === "list")).toHaveLength(2);
  });

  test("are reported as unknown while the repository cannot be compared", async () => {
    const { repository, index } = counted("alpha");
    await indexed(repository, index).list();
    const failing = { ...repository, list: () => Promise.reject(new Error("bucket gone")) };
    const skills = indexed(failing, index);
    await expect
      .poll(async () => (await skills.list()).diagnostics)
      .toMatchObject([{ code: "index.unchecked", message: expect.stringContaining("bucket gone") }]);
    await skills.close();
  });
});

test("attempts that are not a whole number from 1 are CONFIG_INVALID", () => {
  const { repository, index } = counted();
  for (const attempts of [0, -1, 1.5, Number.NaN])
    expect(() => indexed(repository, index, { attempts })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
});

test("methods that the repository lacks exist neither at runtime nor in the type", () => {
  const { upload, delete: remove, reader, ...rest } = memoryRepository();
  const readOnly = indexed(rest, {} as MetadataIndex);
  expect(Object.keys(readOnly)).not.toEqual(expect.arrayContaining(["upload"]));
  expect("delete" in readOnly || "reader" in readOnly || "versions" in readOnly).toBe(false);
  // @ts-expect-error: a read-only repository has no upload.
  expect(readOnly.upload).toBeUndefined();
});
