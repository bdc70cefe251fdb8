import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unpackArchive } from "../src/index.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";
import { rawTarGz } from "./raw/raw-tar.js";
import { rawZip } from "./raw/raw-zip.js";
import { filesBelow, temporaryDirectory } from "./temporary-directory.js";

const WRAPPED = { ...SKILL_FILE, name: "folder/SKILL.md" };

describe("the unpacked directory", () => {
  test("is named after the archive's own directory, and the skill's name is reported", async () => {
    await using outside = await temporaryDirectory();
    const unpacked = await unpackArchive(rawZip([WRAPPED]), { directory: outside.path });
    expect(unpacked).toMatchObject({
      name: "demo",
      directory: join(outside.path, "folder"),
      diagnostics: [],
    });
  });

  test("is named after the skill if the archive has no directory", async () => {
    await using outside = await temporaryDirectory();
    const { directory } = await unpackArchive(rawTarGz([SKILL_FILE]), { directory: outside.path });
    expect(directory).toBe(join(outside.path, "demo"));
  });

  test("is named after the skill, with a diagnostic, if the archive's own directory would be hidden", async () => {
    await using outside = await temporaryDirectory();
    const bytes = rawZip([{ ...SKILL_FILE, name: ".ssh/SKILL.md" }]);
    const { directory, diagnostics } = await unpackArchive(bytes, { directory: outside.path });
    expect(directory).toBe(join(outside.path, "demo"));
    expect(diagnostics).toMatchObject([{ code: "archive.folder-renamed" }]);
  });

  test.each([
    ["stored", 0],
    ["deflated", 8],
  ])("reports scripts of a zip without Unix modes (%s), and no other files", async (_, method) => {
    await using outside = await temporaryDirectory();
    const file = (name: string, content: string, mode: number) => ({
      ...{ name: `folder/${name}`, content, mode, method },
    });
    const bytes = rawZip([
      { ...WRAPPED, mode: 0 },
      file("scripts/run.sh", `#!/bin/sh\n${"echo\n".repeat(1000)}`, 0),
      file("scripts/data.txt", "no script", 0),
      file("scripts/marked.sh", "#!/bin/sh\n", 0o100644),
    ]);
    const { diagnostics } = await unpackArchive(bytes, { directory: outside.path });
    expect(diagnostics).toMatchObject([{ code: "archive.no-modes", path: "scripts/run.sh" }]);
  });

  test("can have a name that the standard refuses", async () => {
    await using outside = await temporaryDirectory();
    const content = "---\nname: Pr\u00fcf Bericht_2\ndescription: d\n---\n";
    const bytes = rawZip([{ name: "SKILL.md", content }]);
    const { name, directory } = await unpackArchive(bytes, { directory: outside.path });
    expect([name, directory]).toEqual(["Pr\u00fcf Bericht_2", join(outside.path, "Pr\u00fcf Bericht_2")]);
  });

  test("gives its name to a skill without one", async () => {
    await using outside = await temporaryDirectory();
    const bytes = rawZip([{ name: "folder/SKILL.md", content: "---\ndescription: d\n---\n" }]);
    expect((await unpackArchive(bytes, { directory: outside.path })).name).toBe("folder");
  });

  test("is created together with its parent directory", async () => {
    await using outside = await temporaryDirectory();
    const { directory } = await unpackArchive(rawZip([WRAPPED]), { directory: join(outside.path, "a", "b") });
    expect(Object.keys(await filesBelow(directory))).toEqual(["SKILL.md"]);
  });
});

describe("an existing target", () => {
  test.each(["a folder", "an empty folder", "a file", "a broken link"])("%s is refused", async (what) => {
    await using outside = await temporaryDirectory();
    await put(what, join(outside.path, "demo"));
    const before = await readdir(outside.path, { recursive: true });
    const refused = unpackArchive(rawZip([SKILL_FILE]), { directory: outside.path });
    await expect(refused).rejects.toMatchObject({ code: "SKILL_EXISTS" });
    expect(await readdir(outside.path, { recursive: true })).toEqual(before);
  });

  test("a directory is replaced as a whole with overwrite", async () => {
    await using outside = await temporaryDirectory();
    await put("a folder", join(outside.path, "folder"));
    await unpackArchive(rawZip([WRAPPED]), { directory: outside.path, existing: "replace" });
    expect((await readdir(outside.path, { recursive: true })).sort()).toEqual(["folder", "folder/SKILL.md"]);
  });

  test.each(["a file", "a broken link"])("%s is refused even with overwrite", async (what) => {
    await using outside = await temporaryDirectory();
    await put(what, join(outside.path, "folder"));
    const refused = unpackArchive(rawZip([WRAPPED]), { directory: outside.path, existing: "replace" });
    await expect(refused).rejects.toMatchObject({ code: "SKILL_EXISTS" });
    expect(await readdir(outside.path)).toEqual(["folder"]);
  });

  test("a directory stays in place if the new one fails", async () => {
    await using outside = await temporaryDirectory();
    await put("a folder", join(outside.path, "folder"));
    const before = await filesBelow(outside.path);
    const broken = rawZip([
      WRAPPED,
      { name: "folder/a", content: "x", central: { crc32: 1 }, local: { crc32: 1 } },
    ]);
    const refused = unpackArchive(broken, { directory: outside.path, existing: "replace" });
    await expect(refused).rejects.toMatchObject({ code: "SKILL_INVALID" });
    expect(await filesBelow(outside.path)).toEqual(before);
  });
});

describe("a failure", () => {
  test("removes the directories that were created", async () => {
    await using outside = await temporaryDirectory();
    const bytes = rawZip([{ name: "SKILL.md", content: "no header" }]);
    const refused = unpackArchive(bytes, { directory: join(outside.path, "a", "b") });
    await expect(refused).rejects.toMatchObject({ code: "SKILL_INVALID" });
    expect(await readdir(outside.path)).toEqual([]);
  });

  test("an error of the file system is BACKEND_FAILED", async () => {
    await using outside = await temporaryDirectory();
    await put("a file", join(outside.path, "no-folder"));
    const refused = unpackArchive(rawZip([SKILL_FILE]), { directory: join(outside.path, "no-folder") });
    await expect(refused).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  });

  test("an abort during writing removes the written files", async () => {
    await using outside = await temporaryDirectory();
    const controller = new AbortController();
    const big = { name: "big.bin", content: Buffer.alloc(8 * 2 ** 20, "random enough ".repeat(999)) };
    const unpacking = unpackArchive(rawZip([{ ...big, name: "big.bin" }, SKILL_FILE]), {
      directory: outside.path,
      signal: controller.signal,
    });
    const refused = expect(unpacking).rejects.toMatchObject({ code: "ABORTED" });
    while ((await readdir(outside.path)).length === 0) await new Promise(setImmediate);
    controller.abort();
    await refused;
    expect(await readdir(outside.path)).toEqual([]);
  });
});

async function put(what: string, path: string): Promise<void> {
  if (what === "a file") return await writeFile(path, "mine");
  if (what === "a broken link") return await symlink("nowhere", path);
  await mkdir(path);
  if (what === "a folder") await writeFile(join(path, "mine.txt"), "mine");
}
