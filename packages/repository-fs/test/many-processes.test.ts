import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { fsArtifacts, fsRepository } from "../src/index.js";
import { runChild } from "./children.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

const PATIENCE = { timeout: 180_000 };
const scope = { app: "test", user: "ada", session: "one" };

if (hasAll("packages/repository-fs/dist"))
  describe("several concurrent processes", () => {
    test("save one artifact: every save gets its own number, none is lost", PATIENCE, async () => {
      const { root, dispose } = await temporaryDirectory();
      await Promise.all(["a", "b", "c"].map((text) => runChild(["save", root, text, "20"])));
      const artifacts = fsArtifacts({ root });
      const versions = await artifacts.versions(scope, "reports/a.md");
      expect(versions.map(({ version }) => version)).toEqual([...Array(60).keys()]);
      const texts = await Promise.all(
        versions.map(async ({ version }) => {
          const { content } = await artifacts.open(scope, "reports/a.md", { version });
          return await readText(content, 100);
        }),
      );
      const expected = ["a", "b", "c"].flatMap((text) =>
        [...Array(20).keys()].map((index) => `${text} ${index}`),
      );
      expect(texts.sort()).toEqual(expected.sort());
      await dispose();
    });

    test("upload one skill: a reader always sees one consistent generation", PATIENCE, async () => {
      const { root, dispose } = await temporaryDirectory();
      await writeSkills(root, {
        demo: { "SKILL.md": skillMarkdown("demo"), "only-first.txt": "first" },
        other: { "SKILL.md": skillMarkdown("other") },
      });
      let isDone = false;
      const writers = Promise.all(["a", "b"].map((text) => runChild(["upload", root, text, "40"])));
      void writers.catch(() => undefined).then(() => (isDone = true));
      const repository = fsRepository({ root });
      const generations = new Set<string>();
      while (!isDone) {
        const { skills, diagnostics } = await repository.list();
        expect([skills.map(({ name }) => name), diagnostics]).toEqual([["demo", "other"], []]);
        const { manifest } = await repository.load("demo");
        const marks = manifest.files.flatMap(({ path }) => /^only-(\w+)/.exec(path)?.[1] ?? []);
        expect(marks).toHaveLength(1);
        generations.add(marks.join());
      }
      await writers;
      for (const text of ["a", "b"]) expect(generations).toContain(text);
      expect((await readdir(root)).sort()).toEqual([".skillwright-history", "demo", "other"]);
      await dispose();
    });

    test("materialize one digest: all of them succeed, with one directory", PATIENCE, async () => {
      const { root, dispose } = await temporaryDirectory();
      await Promise.all(Array.from({ length: 4 }, () => runChild(["materialize", root, "text", "3"])));
      const names = await readdir(root, { recursive: true });
      expect(names.filter((name) => name.endsWith("/tree"))).toHaveLength(1);
      expect(names.filter((name) => name.includes("/leases/"))).toHaveLength(4);
      await dispose();
    });
  });

describe("leftovers of another process", () => {
  test("stay while its process lives, or may live on another machine, and are removed when it does not", async () => {
    const { root, dispose } = await temporaryDirectory();
    const repository = fsRepository({ root });
    const upload = [{ path: "SKILL.md", content: skillMarkdown("demo") }];
    await repository.upload(upload);
    const begun = join(root, ".skillwright-making-0123456789ab-1-ff-1");
    await mkdir(begun);
    await writeFile(join(begun, "file"), "x");
    await repository.upload(upload);
    expect(await readdir(root)).toEqual([".skillwright-making-0123456789ab-1-ff-1", "demo"]);
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(begun, longAgo, longAgo);
    await repository.upload(upload);
    expect(await readdir(root)).toEqual(["demo"]);
    await dispose();
  });

  test("a lock whose holder is silent is taken over", PATIENCE, async () => {
    const { root, dispose } = await temporaryDirectory();
    const holder = join(root, ".skillwright-lock/0123456789ab-1-ff-1");
    await mkdir(join(root, ".skillwright-lock"));
    await writeFile(holder, "");
    const silentSince = new Date(Date.now() - 60_000);
    await utimes(holder, silentSince, silentSince);
    await fsRepository({ root }).upload([{ path: "SKILL.md", content: skillMarkdown("demo") }]);
    expect(await readdir(root)).toEqual(["demo"]);
    await dispose();
  });
});
