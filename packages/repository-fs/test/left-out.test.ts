import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

const SKILL = { "SKILL.md": "---\nname: one\ndescription: d\n---\n", "run.py": "print(1)\n" };
const many = (folder: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/f${n}.py`, "x = 1\n"]));

async function skillWith(files: Readonly<Record<string, string>>): Promise<string> {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  await writeSkills(root, { one: { ...SKILL, ...files } });
  return root;
}

test.each(["node_modules", ".venv", "venv", "__pycache__", "lib/__pycache__"])(
  "a skill that contains 600 files in %s is usable, and they do not belong to it",
  async (folder) => {
    const root = await skillWith(many(folder, 600));
    const repository = fsRepository({ root });
    const { skills, broken } = await repository.list();
    expect([skills.length, broken]).toEqual([1, []]);
    expect(skills[0]?.diagnostics).toMatchObject([
      { code: "file.installed", severity: "info", path: folder },
    ]);
    const { manifest } = await repository.load("one");
    expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "run.py"]);
    await expect(repository.open("one", `${folder}/f1.py`)).rejects.toThrow(
      expect.toSatisfy((error) => SkillError.is(error, "FILE_NOT_FOUND")),
    );
  },
);

test("a file named like such a directory belongs to the skill; a link into one does not", async () => {
  const root = await skillWith({ venv: "a file", "node_modules/tool.js": "1\n" });
  await mkdir(join(root, "one/bin"));
  await symlink("../node_modules/tool.js", join(root, "one/bin/tool"));
  const { manifest, diagnostics } = await fsRepository({ root }).load("one");
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "run.py", "venv"]);
  expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
    ["file.link", "bin/tool"],
    ["file.installed", "node_modules"],
  ]);
});

test("an upload keeps such directories and version control data, unless the new skill has something at their place", async () => {
  const kept = {
    "node_modules/a/index.js": "kept",
    "lib/.venv/bin/tool": "kept",
    ".git/HEAD": "kept",
    "taken/venv/x": "old",
    "lib2/x": "old",
  };
  const root = await skillWith({ ...kept, "gone/old.py": "1\n" });
  await symlink("lib/.venv", join(root, "one/venv"));
  await symlink("../lib", join(root, "one/lib2/venv"));
  const repository = fsRepository({ root });
  const files = { ...SKILL, "run.py": "print(2)\n", taken: "a file", "lib2/venv": "a file" };
  await repository.upload(Object.entries(files).map(([path, content]) => ({ path, content })));
  const { manifest } = await repository.load("one");
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md", "lib2/venv", "run.py", "taken"]);
  for (const path of ["node_modules/a/index.js", "lib/.venv/bin/tool", ".git/HEAD", "venv/bin/tool"])
    expect(await readFile(join(root, "one", path), "utf8")).toBe("kept");
  await expect(readdir(join(root, "one/gone"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("the names of these directories, and the maximum number of files, are options", async () => {
  const root = await skillWith(many(".venv/lib", 600));
  const whole = { root, leaveOut: [] };
  expect((await fsRepository(whole).list()).broken[0]?.diagnostics[0]?.code).toBe("skill.too-many-files");
  const repository = fsRepository({ ...whole, limits: { files: 1000 } });
  expect((await repository.load("one")).manifest.files).toHaveLength(602);
  const content = await repository.open("one", ".venv/lib/f1.py");
  for await (const bytes of content) expect(String.fromCharCode(...bytes)).toBe("x = 1\n");
  const small = fsRepository({ root, limits: { bytes: 10 } });
  expect((await small.list()).broken[0]?.diagnostics[0]?.code).toBe("skill.too-large");
});

test("a change in a directory that is left out does not change the skill", async () => {
  const root = await skillWith(many("__pycache__", 2));
  const repository = fsRepository({ root });
  const { digest } = await repository.load("one");
  await writeFile(join(root, "one/__pycache__/f3.pyc"), "x");
  expect((await repository.load("one")).digest).toBe(digest);
});
