import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { readText, type UploadFile } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { fsRepository } from "../src/index.js";
import { killAtEveryStep, runChild } from "./children.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

const files = (body: string, ...more: UploadFile[]): UploadFile[] => [
  { path: "SKILL.md", content: skillMarkdown("one", { body }) },
  ...more,
];
const numbers = (versions: readonly { readonly version: string }[]) => versions.map(({ version }) => version);

describe("the history of a skill in a folder", () => {
  test("EDIT-19: has the replaced contents with number, time, digest and who changed it, newest first", async () => {
    const repository = fsRepository({ root });
    const first = await repository.upload(files("first"), { by: "ada" });
    await repository.upload(files("second"));
    const third = await repository.upload(files("third"), { by: "model" });
    expect(await fsRepository({ root }).versions("one")).toMatchObject([
      { version: "3", digest: third.digest, by: "model" },
      { version: "2", createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      { version: "1", digest: first.digest, by: "ada" },
    ]);
    expect((await repository.versions("one"))[1]).not.toHaveProperty("by");
    expect((await repository.load("one", { version: "2" })).body).toBe("second");
  });

  test("keeps content whose record it does not understand, such as that of a later release", async () => {
    const repository = fsRepository({ root });
    for (const body of ["first", "second", "third"]) await repository.upload(files(body));
    const record = join(root, ".skillwright-history/one/1/record.json");
    await writeFile(record, '{"formatVersion":2}');
    await repository.upload(files("fourth"));
    expect(numbers(await repository.versions("one"))).toEqual(["4", "3", "2"]);
    expect(await readFile(record, "utf8")).toBe('{"formatVersion":2}');
  });

  test("has the bytes and executable bits of every file of a skill that was written by hand", async () => {
    const script = { content: "#!/bin/sh\n", executable: true };
    await writeSkills(root, {
      "group/one": {
        "SKILL.md": skillMarkdown("one"),
        "scripts/x.sh": script,
        "assets/x": Uint8Array.of(0, 255),
      },
    });
    const repository = fsRepository({ root });
    const { manifest } = await repository.load("one");
    await repository.upload(files("other"));
    const kept = await repository.load("one", { version: "1" });
    expect([kept.manifest, kept.path, kept.version]).toEqual([manifest, "group/one", "1"]);
    const open = await repository.open("one", "scripts/x.sh", { version: "1" });
    expect(await readText(open, 100)).toBe("#!/bin/sh\n");
  });

  test("has the content that was changed by hand since the last upload as a version of its own", async () => {
    const repository = fsRepository({ root });
    for (const body of ["first", "second"]) await repository.upload(files(body));
    await writeFile(join(root, "one/SKILL.md"), skillMarkdown("one", { body: "by hand" }));
    expect((await repository.load("one")).version).toBe("3");
    await repository.upload(files("fourth"));
    expect(numbers(await repository.versions("one"))).toEqual(["4", "3", "1"]);
    expect((await repository.load("one", { version: "3" })).body).toBe("by hand");
  });

  test("is bounded in versions and bytes, the oldest first, and numbers are not used again", async () => {
    const few = fsRepository({ root, history: { versions: 2 } });
    for (const body of ["a", "b", "c", "d"]) await few.upload(files(body));
    expect(numbers(await few.versions("one"))).toEqual(["4", "3", "2"]);
    const small = fsRepository({ root, history: { bytes: 2000 } });
    for (const body of ["e", "f", "g"])
      await small.upload(files(body, { path: "x.txt", content: body.repeat(1000) }));
    expect(numbers(await small.versions("one"))).toEqual(["7", "6"]);
    const none = fsRepository({ root, history: { versions: 0 } });
    await none.upload(files("h"));
    expect(numbers(await none.versions("one"))).toEqual(["8"]);
  });

  test("is neither listed, watched as a skill, nor part of another skill's files", async () => {
    const repository = fsRepository({ root });
    for (const body of ["first", "second"]) await repository.upload(files(body));
    const { skills, broken, diagnostics } = await fsRepository({ root }).list();
    expect([skills.map(({ path }) => path), broken, diagnostics]).toEqual([["one"], [], []]);
    expect((await repository.load("one")).manifest.files.map(({ path }) => path)).toEqual(["SKILL.md"]);
    expect(await readdir(root)).toEqual([".skillwright-history", "one"]);
  });

  test("ends with a deletion, which can be undone and keeps the earlier versions", async () => {
    const repository = fsRepository({ root });
    for (const body of ["first", "second"]) await repository.upload(files(body));
    await repository.delete("one");
    expect(numbers(await repository.versions("one"))).toEqual(["2", "1"]);
    expect(await repository.restore("one")).toMatchObject({ body: "second" });
    expect(numbers(await repository.versions("one"))).toEqual(["2", "1"]);
    expect((await repository.load("one")).version).toBe("2");
    expect(await repository.deleted()).toEqual([]);
  });

  test("is removed with the last deletion that is kept", async () => {
    const repository = fsRepository({ root, keepDeleted: 1 });
    for (const body of ["first", "second"]) await repository.upload(files(body));
    await repository.delete("one");
    await writeSkills(root, { two: { "SKILL.md": skillMarkdown("two") } });
    await repository.delete("two");
    expect(await repository.versions("one")).toEqual([]);
    expect(await readdir(join(root, ".skillwright-history"))).toEqual(["two"]);
  });

  test("keeps a deletion that is followed by another skill of the name, until it is above the number", async () => {
    const repository = fsRepository({ root });
    await repository.upload(files("first"));
    await repository.delete("one");
    await repository.upload(files("first"));
    expect(numbers(await repository.versions("one"))).toEqual(["1"]);
    await repository.upload(files("second"));
    expect(numbers(await repository.versions("one"))).toEqual(["2", "1"]);
    await repository.delete("one");
    const [, former] = await repository.deleted();
    expect(await repository.restore("one", { deletedAt: former?.deletedAt })).toMatchObject({
      body: "first",
    });
    expect((await repository.load("one")).version).toBe("3");
  });

  test("a kept file that was changed is an error and not another version", async () => {
    const repository = fsRepository({ root });
    for (const body of ["first", "second"]) await repository.upload(files(body));
    const kept = join(root, ".skillwright-history/one/1/skill/SKILL.md");
    await writeFile(kept, `${await readFile(kept, "utf8")}More.\n`);
    await expect(repository.load("one", { version: "1" })).rejects.toMatchObject({ code: "DIGEST_MISMATCH" });
  });

  test("deletions that an earlier release stored can be restored", async () => {
    const folder = ".skillwright-deleted/2026-01-01T00-00-00.000Z";
    await writeSkills(root, { [`${folder}/skill`]: { "SKILL.md": skillMarkdown("one", { body: "old" }) } });
    const deletedAt = "2026-01-01T00:00:00.000Z";
    const record = { formatVersion: 1, name: "one", path: "one", location: "one", deletedAt };
    await writeFile(join(root, folder, "record.json"), JSON.stringify(record));
    const repository = fsRepository({ root });
    expect(await repository.deleted()).toEqual([{ name: "one", path: "one", deletedAt }]);
    expect(await repository.restore("one")).toMatchObject({ body: "old" });
    expect(await readdir(root)).toEqual(["one"]);
  });
});

if (hasAll("packages/repository-fs/dist"))
  describe("two writers and kills", () => {
    test("EDIT-20: a writer that is killed before any of its calls loses no content", {
      timeout: 120_000,
    }, async () => {
      const steps = await killAtEveryStep(async (killAt) => {
        const place = join(root, String(killAt ?? "whole"));
        const repository = fsRepository({ root: place });
        const demo = (body: string) => [{ path: "SKILL.md", content: skillMarkdown("demo", { body }) }];
        for (const body of ["first", "second"]) await repository.upload(demo(body));
        const result = await runChild(["upload", place, "new"], killAt);
        return { result, check: async () => await holdsAll(place) };
      });
      expect(steps).toBeGreaterThan(15);
    });

    test("EDIT-20: two concurrent writers lose no content", { timeout: 180_000 }, async () => {
      await Promise.all(["a", "b"].map((text) => runChild(["upload", root, text, "10"])));
      const repository = fsRepository({ root });
      const versions = await repository.versions("demo");
      expect(numbers(versions)).toEqual(versions.map((_, index) => String(versions.length - index)));
      for (const { version, digest } of versions)
        expect(await repository.load("demo", { version })).toMatchObject({ digest, version });
      expect(versions.length).toBeGreaterThan(1);
      await rm(join(root, "demo"), { recursive: true });
    });
  });

/** The two earlier contents, and the new one where it is in place; also after the next change. */
async function holdsAll(place: string): Promise<void> {
  const repository = fsRepository({ root: place });
  const bodies = async () => {
    const versions = await repository.versions("demo");
    expect(new Set(numbers(versions)).size).toBe(versions.length);
    return await Promise.all(
      versions.map(async ({ version }) => (await repository.load("demo", { version })).body),
    );
  };
  const before = await bodies();
  expect([
    ["second", "first"],
    ["new", "second", "first"],
  ]).toContainEqual(before);
  await repository.upload([{ path: "SKILL.md", content: skillMarkdown("demo", { body: "next" }) }]);
  expect(await bodies()).toEqual(["next", ...before]);
}
