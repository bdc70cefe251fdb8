import { createHash } from "node:crypto";
import { byteStream, manifestDigest, readBytes, skillManifest, type UploadFile } from "@skillwright/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ArchiveFormat, type ArchiveLayout, openArchive, writeArchive } from "../src/index.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";

const FORMATS: readonly ArchiveFormat[] = ["zip", "tar.gz"];
const ALL = FORMATS.flatMap((format) =>
  (["wrapped", "bare"] as const).map((layout) => ({ format, layout, directoryName: "demo" })),
);
const SKILL: UploadFile = { path: "SKILL.md", content: SKILL_FILE.content };
const FILES: readonly UploadFile[] = [
  { path: "scripts/run.sh", content: "#!/bin/sh\n", executable: true },
  SKILL,
  { path: "empty.txt", content: "" },
  { path: `references/${"long name ".repeat(15)}\u00e9.md`, content: byteStream("text") },
  { path: "assets/logo.bin", content: Uint8Array.of(0, 255, 13, 10) },
];

describe.each(ALL)("an archive written as $format, $layout", (options) => {
  test("is read back as the same skill", async () => {
    const bytes = await written(freshFiles(), options);
    const archive = await openArchive(bytes);
    expect([archive.format, archive.layout, archive.diagnostics]).toEqual([
      options.format,
      options.layout,
      [],
    ]);
    expect(archive.directoryName).toBe(options.layout === "wrapped" ? "demo" : undefined);
    expect(await digest(archive.contents())).toBe(await digest(freshFiles()));
  });

  test("has the same bytes for the same files, in any order, time zone and at any time", async () => {
    const zone = process.env["TZ"];
    const first = await written(freshFiles(), options);
    try {
      process.env["TZ"] = "Asia/Tokyo";
      expect(await written([...freshFiles()].reverse(), options)).toEqual(first);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  test("is read back even if a file compresses as well as a bomb", async () => {
    const zeros = { path: "zeros.bin", content: Buffer.alloc(3 * 2 ** 20) };
    const archive = await openArchive(await written([SKILL, zeros], options));
    expect(archive.files).toContainEqual({
      path: "zeros.bin",
      size: zeros.content.length,
      executable: false,
    });
  });
});

test("a tar.gz contains neither its creation time nor the operating system", async () => {
  const bytes = await written([SKILL], { format: "tar.gz", layout: "bare" });
  expect([...bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, expect.any(Number), 255]);
});

describe("any skill", () => {
  const name = fc.stringMatching(/^[\p{L}\p{N}_-]{1,12}$/u).map((text) => text.normalize("NFC"));
  const file = fc.record({
    path: fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `f-${parts.join("/f-")}.x`),
    content: fc.uint8Array({ maxLength: 3000 }),
    executable: fc.boolean(),
  });
  const skill = fc.uniqueArray(file, {
    maxLength: 8,
    selector: ({ path }) => path.toUpperCase().toLowerCase().split("/")[0],
  });

  test("is the same after packing and reading in every format and layout", async () => {
    await fc.assert(
      fc.asyncProperty(skill, fc.constantFrom(...ALL), async (files, options) => {
        const all = [SKILL, ...files];
        const archive = await openArchive(await written(all, options));
        expect(await digest(archive.contents())).toBe(await digest(all));
      }),
      { numRuns: 60 },
    );
  });
});

describe("refuses to write an archive that no reader would accept", () => {
  const zip = { format: "zip", layout: "bare" } as const;
  test.each([
    ["a path that leaves", [SKILL, text("../a")], zip, "PATH_OUTSIDE"],
    ["one path twice", [SKILL, text("a"), text("a")], zip, "SKILL_INVALID"],
    ["paths that differ by case", [SKILL, text("a"), text("A")], zip, "SKILL_INVALID"],
    ["a name for a device", [SKILL, text("aux.md")], zip, "PATH_INVALID"],
    ["what a reader leaves out", [SKILL, text(".git/config")], zip, "SKILL_INVALID"],
    ["no SKILL.md", [text("a")], zip, "SKILL_INVALID"],
    ["nothing", [], zip, "SKILL_INVALID"],
    ["SKILL.md in a folder", [text("demo/SKILL.md")], zip, "SKILL_INVALID"],
    [
      "513 files",
      [SKILL, ...Array.from({ length: 512 }, (_, index) => text(`${index}`))],
      zip,
      "LIMIT_EXCEEDED",
    ],
    ["a SKILL.md of 2 MiB", [{ path: "SKILL.md", content: Buffer.alloc(2 ** 21) }], zip, "LIMIT_EXCEEDED"],
    ["a wrapped one without a name", [SKILL], { format: "zip", layout: "wrapped" } as const, "INPUT_INVALID"],
    [
      "a name of two folders",
      [SKILL],
      { ...zip, layout: "wrapped" as const, directoryName: "a/b" },
      "INPUT_INVALID",
    ],
    [
      "a name that leaves",
      [SKILL],
      { ...zip, layout: "wrapped" as const, directoryName: ".." },
      "INPUT_INVALID",
    ],
  ])("%s", async (_, files, options, code) => {
    await expect(written(files, options)).rejects.toMatchObject({ code });
  });
});

function text(path: string): UploadFile {
  return { path, content: "text" };
}

function freshFiles(): UploadFile[] {
  return FILES.map((file) =>
    file.path.startsWith("references") ? { ...file, content: byteStream("text") } : file,
  );
}

async function written(
  files: readonly UploadFile[],
  options: { format: ArchiveFormat; layout: ArchiveLayout; directoryName?: string },
): Promise<Uint8Array> {
  return await readBytes(writeArchive(files, options), 2 ** 26);
}

async function digest(files: Iterable<UploadFile> | AsyncIterable<UploadFile>): Promise<string> {
  const manifest = [];
  for await (const { path, content, executable = false } of files) {
    const bytes = await readBytes(content, 2 ** 26);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    manifest.push({ path, size: bytes.byteLength, executable, sha256 });
  }
  return manifestDigest(skillManifest(manifest));
}
