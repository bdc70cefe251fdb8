import { chmod, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { discard } from "../src/files/discard.js";
import { keepDeleted } from "../src/history/keep-deleted.js";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

const HISTORY = ".skillwright-history";
/** Where earlier releases kept deleted skills. */
const DELETED = ".skillwright-deleted";

describe("a deleted skill", () => {
  test("EDIT-09: is kept with its time and restored to its group, even by another repository over the directory", async () => {
    await writeSkills(root, { "group/one": { "SKILL.md": skillMarkdown("one"), "a.txt": "a" } });
    const { digest } = await fsRepository({ root }).load("one");
    const earliest = Date.now();
    expect(await fsRepository({ root }).delete("one")).toBe(true);
    const latest = Date.now();
    await rm(join(root, "group"), { recursive: true });
    const other = fsRepository({ root });
    const [kept] = await other.deleted();
    const deletedAt = Date.parse(kept?.deletedAt ?? "");
    expect(deletedAt).toBeGreaterThanOrEqual(earliest);
    expect(deletedAt).toBeLessThanOrEqual(latest);
    expect(await other.restore("one")).toMatchObject({ path: "group/one", digest });
    expect((await fsRepository({ root }).load("group/one")).digest).toBe(digest);
    expect(await readdir(root)).toEqual(["group"]);
  });

  test("is not listed, and is removed permanently when more were deleted than are kept", async () => {
    const repository = fsRepository({ root, keepDeleted: 2 });
    for (const name of ["one", "two", "three"]) {
      await writeSkills(root, { [name]: { "SKILL.md": skillMarkdown(name) } });
      await repository.delete(name);
    }
    expect(await repository.list()).toMatchObject({ skills: [], broken: [], diagnostics: [] });
    expect((await repository.deleted()).map(({ name }) => name)).toEqual(["three", "two"]);
    expect(await readdir(join(root, HISTORY))).toHaveLength(2);
  });

  test("leaves nothing where none are kept", async () => {
    await writeSkills(root, { one: { "SKILL.md": skillMarkdown("one") } });
    await fsRepository({ root, keepDeleted: 0 }).delete("one");
    expect(await readdir(root)).toEqual([]);
  });

  test("leaves nothing of its read-only directories", async () => {
    await writeSkills(root, { one: { "SKILL.md": skillMarkdown("one"), "docs/deep/a.txt": "a" } });
    for (const path of ["docs/deep", "docs"]) await chmod(join(root, "one", path), 0o555);
    await fsRepository({ root, keepDeleted: 0 }).delete("one");
    expect(await readdir(root)).toEqual([]);
  });

  test("cannot be asked for where the directory of deleted skills cannot be read", async () => {
    for (const name of [DELETED, HISTORY]) {
      await symlink(name, join(root, name));
      await expect(fsRepository({ root }).deleted()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
      await rm(join(root, name));
    }
  });

  test("counts as absent where its directory went away meanwhile", async () => {
    expect(await discard(join(root, "gone"), root)).toBe(false);
    const gone = { name: "gone", path: "gone", location: "gone" };
    expect(await keepDeleted(root, gone, { keep: 1, isLive: () => false })).toBe(false);
    expect(await readdir(root)).toEqual([]);
  });

  test("is not restored over something else at its path, which stays", async () => {
    await writeSkills(root, { one: { "SKILL.md": skillMarkdown("one") } });
    const repository = fsRepository({ root });
    await repository.delete("one");
    await writeSkills(root, { one: { "SKILL.md": skillMarkdown("other") } });
    await expect(repository.restore("one")).rejects.toMatchObject({ code: "SKILL_EXISTS" });
    expect((await repository.load("other")).path).toBe("one");
  });

  test("is not restored through a link that leads out of the repository", async () => {
    const inside = join(root, "skills");
    await writeSkills(inside, { "group/one": { "SKILL.md": skillMarkdown("one") } });
    const repository = fsRepository({ root: inside });
    await repository.delete("one");
    await mkdir(join(root, "outside"));
    await rename(join(inside, "group"), join(root, "away"));
    await symlink("../outside", join(inside, "group"));
    await expect(repository.restore("one")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    expect(await readdir(join(root, "outside"))).toEqual([]);
    expect(await repository.deleted()).toHaveLength(1);
  });

  test("a deleted skill whose record is damaged or points elsewhere is skipped, and another is restored", async () => {
    await writeSkills(root, { one: { "SKILL.md": skillMarkdown("one") } });
    const repository = fsRepository({ root });
    await repository.delete("one");
    const whole = { formatVersion: 1, name: "x", path: "x", location: "x", deletedAt: "9" };
    const changes = [
      { formatVersion: 2 },
      { name: 1 },
      { path: 1 },
      { location: 1 },
      { location: "../x" },
      { deletedAt: 1 },
      { deletedAt: undefined },
      { version: "1" },
    ];
    const records = ["{", ...changes.map((change) => JSON.stringify({ ...whole, ...change }))];
    for (const [index, record] of records.entries()) {
      await writeSkills(join(root, DELETED, `bad-${index}`), { skill: { "SKILL.md": skillMarkdown("x") } });
      await writeFile(join(root, DELETED, `bad-${index}`, "record.json"), record);
    }
    expect((await repository.deleted()).map(({ name }) => name)).toEqual(["one"]);
    await expect(repository.restore("x")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
    expect((await repository.restore("one")).name).toBe("one");
  });
});
