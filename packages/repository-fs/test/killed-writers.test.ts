import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { byteStream, readText, type SkillManifest, skillManifest } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { fsArtifacts, fsContentStore, fsRepository } from "../src/index.js";
import { killAtEveryStep, runChild } from "./children.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

const PATIENCE = { timeout: 120_000 };
const scope = { app: "test", user: "ada", session: "one" };

if (hasAll("packages/repository-fs/dist"))
  describe("a writer that is killed before any of its calls", () => {
    test(
      "leaves the old skill or the new one with its installed packages, and no leftovers that stay",
      PATIENCE,
      async () => {
        const steps = await atEveryStep(["upload", "new"], async (root) => {
          const repository = fsRepository({ root });
          const { skills, broken, diagnostics } = await repository.list();
          expect([skills.map(({ name }) => name), broken, diagnostics]).toEqual([["demo", "other"], [], []]);
          const { body, manifest } = await repository.load("demo");
          expect(manifest.files.map(({ path }) => path)).toEqual(FILES[body]);
          for (const { path } of manifest.files) expect(await textOf(repository, path)).not.toBe("");
          await repository.upload([{ path: "SKILL.md", content: skillMarkdown("third") }]);
          expect((await repository.load("demo")).manifest).toEqual(manifest);
          expect(await readFile(join(root, "demo/node_modules/m.js"), "utf8")).toBe("installed");
        });
        expect(steps).toBeGreaterThan(15);
      },
    );

    test("leaves a deleted skill either present or gone, and no leftovers that stay", PATIENCE, async () => {
      const steps = await atEveryStep(["delete"], async (root) => {
        const repository = fsRepository({ root });
        const { skills, broken, diagnostics } = await repository.list();
        const names = skills.map(({ name }) => name);
        expect([["demo", "other"], ["other"]]).toContainEqual(names);
        expect([broken, diagnostics]).toEqual([[], []]);
        await repository.upload([{ path: "SKILL.md", content: skillMarkdown("third") }]);
      });
      expect(steps).toBeGreaterThan(4);
    });

    test("leaves an artifact's version either complete or absent", PATIENCE, async () => {
      const steps = await atEveryStep(["save", "text"], async (root) => {
        const artifacts = fsArtifacts({ root });
        const versions = await artifacts.versions(scope, "reports/a.md");
        for (const { version, location = "", size } of versions) {
          const { content } = await artifacts.open(scope, "reports/a.md", { version });
          expect(await readText(content, 100)).toBe("text 0");
          expect((await stat(location)).size).toBe(size);
        }
        const { version } = await artifacts.save(scope, "reports/a.md", "next");
        expect(version).toBe(versions.length);
      });
      expect(steps).toBeGreaterThan(5);
    });

    test("leaves content either complete or absent, and collect removes the rest", PATIENCE, async () => {
      const { root, dispose } = await temporaryDirectory();
      const reference = await runChild(["materialize", root, "text"]);
      const [whole] = await trees(root);
      const steps = await atEveryStep(["materialize", "text"], async (place) => {
        for (const found of await trees(place)) expect(found).toEqual(whole);
        const store = fsContentStore({ root: place });
        await store.materialize(manifest(), async (path) => byteStream(CONTENT[path] ?? ""), { owner: "w" });
        expect(await trees(place)).toEqual([whole]);
        expect(await store.collect(() => false)).toHaveLength(1);
        expect(await trees(place)).toEqual([]);
      });
      await dispose();
      expect(steps).toBe(reference.calls);
    });

    test("leaves content that it copied from its location either complete or absent", PATIENCE, async () => {
      const { root: skills, dispose } = await temporaryDirectory();
      await writeSkills(skills, { demo: { "SKILL.md": skillMarkdown("demo"), "docs/a.txt": "text" } });
      const repository = fsRepository({ root: skills });
      const { manifest } = await repository.load("demo");
      const steps = await atEveryStep(["copy", skills], async (place) => {
        const store = fsContentStore({ root: place });
        for (const found of await trees(place)) expect(found).toHaveLength(2);
        const open = (path: string) => repository.open("demo", path);
        await store.materialize(manifest, open, { owner: "w" });
        expect((await trees(place)).map((found) => (found as unknown[]).length)).toEqual([2]);
        expect(await store.collect(() => false)).toHaveLength(1);
        expect(await trees(place)).toEqual([]);
      });
      await dispose();
      expect(steps).toBeGreaterThan(10);
    });
  });

const FILES: Record<string, string[]> = {
  old: ["SKILL.md", "old.txt"],
  new: ["SKILL.md", "a.txt", "folder/b.txt", "only-new.txt"],
};

/** The skill that the child materialises. */
const CONTENT: Record<string, string> = { "SKILL.md": "text", "folder/run.sh": "text", "empty.txt": "" };

function manifest(): SkillManifest {
  return skillManifest(
    Object.entries(CONTENT).map(([path, content]) => ({
      path,
      size: content.length,
      executable: path.endsWith(".sh"),
      sha256: createHash("sha256").update(content).digest("hex"),
    })),
  );
}

/** After each kill the directory is checked and used again, and must then contain nothing incomplete. */
async function atEveryStep(
  parameters: readonly string[],
  check: (root: string) => Promise<void>,
): Promise<number> {
  return await killAtEveryStep(async (killAt) => {
    const { root, dispose } = await temporaryDirectory();
    const [what = "", ...more] = parameters;
    if (what === "upload" || what === "delete")
      await writeSkills(root, {
        demo: {
          "SKILL.md": skillMarkdown("demo", { body: "old" }),
          "old.txt": "old",
          "node_modules/m.js": "installed",
        },
        other: { "SKILL.md": skillMarkdown("other") },
      });
    return {
      result: await runChild([what, root, ...more], killAt),
      check: async () => {
        await check(root);
        const names = await readdir(root, { recursive: true });
        const left = names.filter((name) => /\.skillwright-(making|trash|swap|lock)/.test(name));
        expect(left, `killed before call ${killAt}`).toEqual([]);
        await dispose();
      },
    };
  });
}

async function textOf(repository: ReturnType<typeof fsRepository>, path: string): Promise<string> {
  return await readText(await repository.open("demo", path), 1000);
}

/** The content of every tree below the root, by path and rights. */
async function trees(root: string): Promise<unknown[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const found = entries
    .filter(({ name }) => name === "tree")
    .filter(({ parentPath }) => !parentPath.includes("/."));
  return await Promise.all(
    found.map(async ({ parentPath, name }) => {
      const tree = join(parentPath, name);
      const inside = (await readdir(tree, { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      );
      const files = inside.map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(tree.length), await readFile(path, "utf8"), (await stat(path)).mode & 0o777];
      });
      return (await Promise.all(files)).sort();
    }),
  );
}
