import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readBytes } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openArchive, type ZippedFile, zipFiles } from "../src/index.js";

const file = (path: string, text: string): ZippedFile => ({
  path,
  open: async () => {
    async function* content() {
      yield new TextEncoder().encode(text);
    }
    return content();
  },
});

test("files are packed in their order, and read back as they were", async () => {
  const SKILL = "---\nname: one\ndescription: One.\n---\n";
  const files = [file("SKILL.md", SKILL), file("out/Grüße.txt", "x".repeat(100)), file("empty", "")];
  const zip = await readBytes(zipFiles(files), 100_000);
  const archive = await openArchive(zip);
  expect(archive.files.map(({ path }) => path).sort()).toEqual(["SKILL.md", "empty", "out/Grüße.txt"]);
});

if (hasAll("python3"))
  test("another reader of zip files finds the files whole", async () => {
    const zip = await readBytes(
      zipFiles([file("out/Grüße.txt", "x".repeat(100)), file("empty", "")]),
      100_000,
    );
    const folder = await mkdtemp(join(tmpdir(), "skillwright-zip-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "all.zip"), zip);
    const script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.read('out/Gr\\u00fc\\u00dfe.txt')))";
    const { stdout } = await promisify(execFile)("python3", ["-c", script, join(folder, "all.zip")]);
    expect(stdout.trim()).toBe("None 100");
  });

test("each file is opened when the one before it was read", async () => {
  const opened: string[] = [];
  const noting = ["a", "b", "c"].map((path) => ({
    path,
    open: async () => {
      opened.push(path);
      return await file(path, path).open();
    },
  }));
  const pieces = zipFiles(noting)[Symbol.asyncIterator]();
  expect(opened).toEqual([]);
  await pieces.next();
  expect(opened.length).toBeLessThan(3);
  while (!(await pieces.next()).done);
  expect(opened).toEqual(["a", "b", "c"]);
});

test("a file that cannot be read ends the archive with its error", async () => {
  const unreadable = { path: "b", open: () => Promise.reject(new Error("gone")) };
  await expect(readBytes(zipFiles([file("a", "a"), unreadable]), 100_000)).rejects.toThrow("gone");
  async function* failing() {
    yield new Uint8Array(1);
    throw new Error("broken off");
  }
  const broken = { path: "b", open: async () => failing() };
  await expect(readBytes(zipFiles([broken]), 100_000)).rejects.toThrow("broken off");
});

test("a path that leaves the archive is refused", async () => {
  await expect(readBytes(zipFiles([file("../x", "x")]), 100_000)).rejects.toMatchObject({
    code: "PATH_OUTSIDE",
  });
});

test("the file that is being read is closed when nobody reads the archive any more", async () => {
  let closed = () => undefined as unknown;
  const ended = new Promise((resolve) => {
    closed = () => resolve(undefined);
  });
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(65_536);
    } finally {
      closed();
    }
  }
  for await (const piece of zipFiles([{ path: "a", open: async () => endless() }]))
    if (piece.length > 1_000) break;
  await ended;
});
