import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { byteStream, readBytes, readText } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { openArchive } from "../src/index.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";
import { rawTarGz } from "./raw/raw-tar.js";
import { rawZip } from "./raw/raw-zip.js";
import { temporaryDirectory } from "./temporary-directory.js";

const MANY = Array.from({ length: 500 }, (_, index) => ({
  name: `${index}.txt`,
  content: "x".repeat(10_000),
}));
const FILES = [SKILL_FILE, { name: "b.txt", content: "b".repeat(100_000) }, { name: "a.txt", content: "a" }];

describe.each([
  ["zip", rawZip(FILES.map((file) => ({ ...file, method: 8 }))), rawZip([SKILL_FILE, ...MANY])],
  ["tar.gz", rawTarGz(FILES), rawTarGz([SKILL_FILE, ...MANY])],
] as const)("an opened %s", (format, bytes, many) => {
  test("detects its format by its bytes, its layout and its files", async () => {
    expect(await openArchive(bytes)).toMatchObject({
      format,
      layout: "bare",
      files: [
        { path: "SKILL.md", executable: false },
        { path: "b.txt", size: 100_000 },
        { path: "a.txt", size: 1 },
      ],
      diagnostics: [],
    });
  });

  test("can be read from a stream or from a buffer", async () => {
    await using outside = await temporaryDirectory();
    const path = join(outside.path, "skill.dat");
    await writeFile(path, bytes);
    expect((await openArchive(createReadStream(path))).files).toHaveLength(3);
  });

  test("can be uploaded to a repository several times", async () => {
    const archive = await openArchive(bytes);
    for (const repository of [memoryRepository(), memoryRepository()]) {
      const { manifest } = await repository.upload(archive.contents());
      expect(manifest.files.map(({ path, size }) => [path, size])).toEqual([
        ["SKILL.md", SKILL_FILE.content.length],
        ["a.txt", 1],
        ["b.txt", 100_000],
      ]);
    }
  });

  test("returns the checked content even if its buffer changes afterwards", async () => {
    const copy = Buffer.from(bytes);
    const archive = await openArchive(copy);
    copy.fill(0);
    const texts: string[] = [];
    for await (const { content } of archive.contents()) texts.push(await readText(content, 1e6));
    expect(texts).toEqual(FILES.map(({ content }) => content));
  });

  test("continues after a file that was not read or only partly read", async () => {
    const { contents } = await openArchive(bytes);
    const texts: string[] = [];
    for await (const { path, content } of contents()) {
      if (path === "a.txt") texts.push(await readText(content, 1e6));
      if (path === "b.txt") for await (const _ of byteStream(content)) break;
    }
    expect(texts).toEqual(["a"]);
  });

  test("stops when its signal fires, while it is opened or streamed", async () => {
    const aborted = AbortSignal.abort();
    await expect(openArchive(bytes, { signal: aborted })).rejects.toMatchObject({ code: "ABORTED" });
    const controller = new AbortController();
    const { contents } = await openArchive(bytes, { signal: controller.signal });
    const read = async () => {
      for await (const { content } of contents()) {
        controller.abort();
        await readBytes(content, 1e6);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("stops between entries when the signal fires there", async () => {
    const controller = new AbortController();
    async function* source() {
      yield many;
      setImmediate(() => controller.abort());
    }
    const opening = openArchive(source(), { signal: controller.signal });
    await expect(opening).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("applies the caller's limits", async () => {
    for (const limits of [{ files: 2 }, { bytes: 100_000 }, { skillFileBytes: 10 }, { archiveBytes: 100 }])
      await expect(openArchive(bytes, { limits })).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    const exact = { files: 3, bytes: 100_001 + SKILL_FILE.content.length, archiveBytes: bytes.length };
    expect((await openArchive(bytes, { limits: exact })).files).toHaveLength(3);
  });
});

test("a tar cannot go back to a file that it has passed", async () => {
  const { contents } = await openArchive(rawTarGz(FILES));
  const kept = [];
  for await (const { content } of contents()) kept.push(content);
  await expect(readBytes(kept[0] ?? "", 1e6)).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("a failing source is reported as such", async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("PK");
    throw new Error("the line went dead");
  }
  await expect(openArchive(broken())).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("the line went dead"),
  });
});

test.each([
  ["a plain tar archive without gzip", `${"\0".repeat(257)}ustar`],
  ["a 7z archive", "7z\xbc\xaf\x27\x1c"],
  ["a RAR archive", "Rar!\x1a\x07\x01\x00"],
  ["an xz file", "\xfd7zXZ\0"],
  ["a bzip2 file", "BZh9"],
  ["a zstd file", "\x28\xb5\x2f\xfd"],
  ["a program, possibly a self-extracting archive", "MZ"],
  ["a program, possibly a self-extracting archive", "\x7fELF"],
  ["a script, possibly a self-extracting archive", "#!/bin/sh"],
  ["one part of a split zip archive", "PK\x07\x08"],
])("refuses %s and names it", async (name, bytes) => {
  await expect(openArchive(Buffer.from(bytes, "latin1"))).rejects.toMatchObject({
    code: "SKILL_INVALID",
    message: expect.stringContaining(`it is ${name}.`),
  });
});
