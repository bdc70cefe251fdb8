import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ManifestFile, type SkillReader, skillManifest } from "@skillwright/core";
import { failsWith } from "@skillwright/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { fsContentStore } from "../src/fs-content-store.js";
import { fsRepository } from "../src/fs-repository.js";

describe("files that lie on this machine are copied where they lie", () => {
  test("whole, with the rights of the manifest and not of the original, and nothing is opened", async () => {
    const { folder, store, opened, reader } = await house();
    await writeFile(join(folder, "run.sh"), "#!/bin/sh\n");
    await chmod(join(folder, "run.sh"), 0o4777);
    const files = [fileOf("SKILL.md", "first"), fileOf("run.sh", "#!/bin/sh\n", true)];
    const lease = await store.materialize(skillManifest(files), reader(), { owner: "one" });
    expect(await readFile(join(lease.directory, "SKILL.md"), "utf8")).toBe("first");
    expect((await stat(join(lease.directory, "SKILL.md"))).mode & 0o7777).toBe(0o444);
    expect((await stat(join(lease.directory, "run.sh"))).mode & 0o7777).toBe(0o555);
    expect(opened).toEqual([]);
  });

  test.each([
    ["other bytes of the same length", async (path: string) => writeFile(path, "other")],
    ["another length", async (path: string) => writeFile(path, "much longer than before")],
    ["nothing", async (path: string) => rm(path)],
    ["a link to the same bytes", linkTo("first")],
    ["a folder", async (path: string) => replaced(path, () => mkdir(path))],
    ["a pipe", async (path: string) => replaced(path, () => execFileSync("mkfifo", [path]))],
  ])("where by then is %s, the file is opened the usual way", async (_what, change) => {
    const { folder, store, opened, reader } = await house();
    await change(join(folder, "SKILL.md"));
    const manifest = skillManifest([fileOf("SKILL.md", "first")]);
    const lease = await store.materialize(manifest, reader("first"), { owner: "one" });
    expect(await readFile(join(lease.directory, "SKILL.md"), "utf8")).toBe("first");
    expect(opened).toEqual(["SKILL.md"]);
  });

  test("what neither the place nor the usual way has is refused, and leaves nothing behind", async () => {
    const { folder, root, store, reader } = await house();
    await writeFile(join(folder, "SKILL.md"), "other");
    const manifest = skillManifest([fileOf("SKILL.md", "first")]);
    await failsWith(store.materialize(manifest, reader("other"), { owner: "one" }), "DIGEST_MISMATCH");
    expect(await readdir(root)).toEqual([]);
  });

  test("the reader of a folder knows where each file lies", async () => {
    const { folder } = await house();
    await writeFile(join(folder, "SKILL.md"), "---\nname: one\ndescription: One.\n---\n");
    const repository = fsRepository({ root: join(folder, "..") });
    const read = await repository.reader?.("one");
    expect(await read?.located?.("SKILL.md")).toBe(join(folder, "SKILL.md"));
    expect(await read?.located?.("gone.md")).toBeUndefined();
  });
});

async function house() {
  const home = await mkdtemp(join(tmpdir(), "skillwright-located-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, "skills/one");
  const root = join(home, "content");
  await mkdir(folder, { recursive: true });
  await mkdir(root);
  await writeFile(join(folder, "SKILL.md"), "first");
  const store = fsContentStore({ root });
  const opened: string[] = [];
  /** @param content What the usual way gives. */
  const reader = (content = ""): SkillReader =>
    Object.assign(
      async (path: string) => {
        opened.push(path);
        return Buffer.from(content);
      },
      { located: async (path: string) => join(folder, path) },
    );
  return { folder, root, store, opened, reader };
}

function fileOf(path: string, content: string, executable = false): ManifestFile {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { path, size: content.length, executable, sha256 };
}

function linkTo(content: string) {
  return async (path: string): Promise<void> => {
    await writeFile(`${path}.other`, content);
    await replaced(path, () => symlink(`${path}.other`, path));
  };
}

async function replaced(path: string, make: () => unknown): Promise<void> {
  await rm(path);
  await make();
}
