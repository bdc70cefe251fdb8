import { readBytes, readText } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { openArchive, writeArchive } from "../src/index.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";
import { tarCases } from "./hostile/tar-cases.js";
import { wholeArchiveCases } from "./hostile/whole-archive-cases.js";
import { zipFormCases } from "./hostile/zip-form-cases.js";
import { zipNameCases } from "./hostile/zip-name-cases.js";
import { rawTarGz } from "./raw/raw-tar.js";
import { rawZip } from "./raw/raw-zip.js";

const { content } = SKILL_FILE;
const TREE = [
  { name: "team/README.md", content: "About" },
  { name: "team/a/SKILL.md", content },
  { name: "team/group/b/SKILL.md", content },
  { name: "team/group/b/x.txt", content: "x" },
];

describe.each([
  ["zip", rawZip],
  ["tar.gz", rawTarGz],
] as const)("an archive of several skills: %s", (_, pack) => {
  test("is refused unless trees are accepted (TAR-02)", async () => {
    await expect(openArchive(pack(TREE))).rejects.toMatchObject({ code: "SKILL_INVALID" });
  });

  test("has the files of all skills, relative to the single top directory", async () => {
    const opened = await openArchive(pack(TREE), { trees: true });
    expect(opened).toMatchObject({ layout: "tree", directoryName: "team", diagnostics: [] });
    const texts: Record<string, string> = {};
    for await (const { path, content } of opened.contents()) texts[path] = await readText(content, 1000);
    expect(texts).toEqual({
      "README.md": "About",
      "a/SKILL.md": content,
      "group/b/SKILL.md": content,
      "group/b/x.txt": "x",
    });
  });

  test("has no directory name where the top has several entries", async () => {
    const opened = await openArchive(pack([{ name: "a/SKILL.md", content }, { name: "LICENSE" }]), {
      trees: true,
    });
    expect([opened.layout, opened.directoryName]).toEqual(["tree", undefined]);
    expect(opened.files.map(({ path }) => path)).toEqual(["a/SKILL.md", "LICENSE"]);
  });

  test("has limits for all files together, and the archive of one skill keeps its own", async () => {
    const bytes = TREE.reduce((sum, file) => sum + file.content.length, 0);
    const opened = (limits: object) => openArchive(pack(TREE), { trees: true, limits });
    expect((await opened({ files: 1, bytes: 1, treeFiles: 4, treeBytes: bytes })).layout).toBe("tree");
    for (const limits of [{ treeFiles: 3 }, { treeBytes: bytes - 1 }])
      await expect(opened(limits)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    const one = pack([SKILL_FILE, { name: "x.txt", content: "x" }]);
    for (const limits of [{ files: 1 }, { bytes: content.length }])
      await expect(openArchive(one, { trees: true, limits })).rejects.toMatchObject({
        code: "LIMIT_EXCEEDED",
      });
  });

  test.each([
    ["one skill at the top", [SKILL_FILE], "bare"],
    ["one skill in the top directory", [{ name: "a/SKILL.md", content }], "wrapped"],
    ["skills inside a skill", [SKILL_FILE, { name: "a/SKILL.md", content }], "bare"],
  ])("%s is no tree", async (_, files, layout) => {
    expect((await openArchive(pack(files), { trees: true })).layout).toBe(layout);
  });

  test("without any skill is refused", async () => {
    const opening = openArchive(pack([{ name: "a/notes.md", content }]), { trees: true });
    await expect(opening).rejects.toMatchObject({ code: "SKILL_INVALID" });
  });
});

/** Skills that are not at the one place for a single one, and three that only their unpacking refuses. */
const ACCEPTED = new Set(["W-08", "W-09", "W-10", "W-12", "W-13", "W-14", "W-15"]);
const CASES = [...tarCases, ...zipNameCases, ...zipFormCases, ...wholeArchiveCases];
const limits = { treeFiles: 512, treeBytes: 16 * 1024 * 1024 };

test.each(CASES.filter(({ id }) => !ACCEPTED.has(id)))(
  "$id where trees are accepted: $what",
  async ({ bytes, code, says }) => {
    const opening = openArchive(bytes(), { trees: true, limits }).then(async (archive) => {
      for await (const { content } of archive.contents()) await readText(content, 1e9);
    });
    await expect(opening).rejects.toMatchObject({ code });
    for (const words of says) await expect(opening).rejects.toThrow(words);
  },
);

describe.each(["zip", "tar.gz"] as const)("a written tree: %s", (format) => {
  const write = (files: readonly string[]) =>
    readBytes(
      writeArchive(
        files.map((path) => ({ path, content: path.endsWith("SKILL.md") ? content : "{}" })),
        { format, layout: "tree", directoryName: "one" },
      ),
      1024 * 1024,
    );

  test.each([
    ["several skills", ["a/SKILL.md", "b/SKILL.md"]],
    ["a plugin", ["plugin.json", "skills/a/SKILL.md"]],
    ["a plugin without skills", ["mcp.json", "plugin.json"]],
    ["a plugin of Claude Code", [".claude-plugin/plugin.json", ".mcp.json"]],
  ])("of %s is opened again, below its folder", async (_, files) => {
    const opened = await openArchive(await write(files), { trees: true });
    expect(opened).toMatchObject({ layout: "tree", directoryName: "one", diagnostics: [] });
    expect(opened.files.map(({ path }) => path)).toEqual(files);
    await expect(openArchive(await write(files))).rejects.toMatchObject({ code: "SKILL_INVALID" });
  });

  test("of neither skills nor a plugin is refused", async () => {
    await expect(write(["mcp.json"])).rejects.toMatchObject({ code: "SKILL_INVALID" });
  });
});
