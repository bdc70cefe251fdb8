import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readBytes } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { openArchive } from "../src/index.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";
import { rawZip } from "./raw/raw-zip.js";
import { zip64Field } from "./raw/zip64.js";

const LINES = Array.from({ length: 400 }, (_, line) => `${line + 1}\n`).join("");

async function contentOf(bytes: Buffer): Promise<Record<string, string>> {
  const archive = await openArchive(bytes);
  const files: Record<string, string> = {};
  for await (const { path, content } of archive.contents())
    files[path] = Buffer.from(await readBytes(content as AsyncIterable<Uint8Array>, 1 << 20)).toString();
  return files;
}

/** Archives of the same files, written by Python's zipfile with force_zip64 and by bsdtar 3.6 to a pipe. */
describe("zip files in the forms for large and streamed archives", () => {
  test.each([
    "python-zip64.zip",
    "python-zip64-stream.zip",
    "bsdtar-stream.zip",
    "bsdtar-stream-zip64.zip",
    "bsdtar-stream-stored.zip",
  ])("%s is read with the files that were packed", async (file) => {
    const files = await contentOf(await readFile(join(import.meta.dirname, "fixtures", file)));
    expect(files["SKILL.md"]).toBe("---\nname: demo\ndescription: Shows.\n---\nDo it.\n");
    expect(files["references/long.md"]).toBe(LINES);
  });

  test("zip64 sizes count against the limits", async () => {
    const bytes = await readFile(join(import.meta.dirname, "fixtures/python-zip64.zip"));
    await expect(openArchive(bytes, { limits: { bytes: 1000 } })).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
    });
    const huge = { size: 0xffffffff, extra: zip64Field(2n ** 40n) };
    const declared = rawZip([
      SKILL_FILE,
      { name: "a.txt", content: "a", method: 8, central: huge, local: huge },
    ]);
    await expect(openArchive(declared)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  });

  test("any number of zeros after the end is ignored", async () => {
    for (const zeros of [1, 511, 100_000])
      expect(await contentOf(rawZip([SKILL_FILE], { after: Buffer.alloc(zeros) }))).toHaveProperty([
        "SKILL.md",
      ]);
  });
});
