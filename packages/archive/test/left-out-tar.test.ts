import { randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { type ByteSource, byteStream, readText } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { openArchive } from "../src/index.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";
import { tarCases } from "./hostile/tar-cases.js";
import { longName, pax, type RawTarEntry, rawTar, rawTarGz } from "./raw/raw-tar.js";
import { gzippedZeros } from "./zeros.js";

const LINK: RawTarEntry = { name: ".venv/bin/python", type: "2", link: "/usr/bin/python3" };
const NOTES: RawTarEntry = { name: "notes.txt", content: "text" };
const leaveOut = [".venv"];

describe("a tar that starts with a link that is left out is refused for what follows it", () => {
  const link = rawTar([LINK], Buffer.alloc(0));
  test.each(tarCases)("$id $what", async ({ bytes, code, says }) => {
    const archive = gzipSync(Buffer.concat([link, gunzipSync(bytes())]));
    const error = await openArchive(archive, { leaveOut }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code });
    for (const words of says) expect(error).toMatchObject({ message: expect.stringContaining(words) });
  });
});

test.each<[string, readonly RawTarEntry[]]>([
  ["a link", [LINK]],
  ["a hard link", [{ ...LINK, type: "1" }]],
  ["a link with a long target by GNU", [longName("x/".repeat(100), "K"), LINK]],
  [
    "a link with a long target and a long name by GNU",
    [longName("x/".repeat(100), "K"), longName(`.venv/${"y/".repeat(100)}z`), LINK],
  ],
  ["a link with a long target by pax", [pax({ linkpath: "x/".repeat(100) }), LINK]],
  ["a pipe", [{ ...LINK, type: "6" }]],
])("a tar with %s in a folder that is left out loads without it", async (_, entries) => {
  const archive = await openArchive(rawTarGz([SKILL_FILE, ...entries, NOTES]), { leaveOut });
  expect(archive.files.map(({ path }) => path)).toEqual(["SKILL.md", "notes.txt"]);
  expect(archive.diagnostics).toMatchObject([{ code: "file.installed", path: ".venv" }]);
});

test.each<[string, RawTarEntry, string]>([
  ["a link with content", { ...LINK, content: "x" }, "with content"],
  ["a link that claims content", { ...LINK, type: "1", size: 512 }, "with content"],
  ["a pipe with content", { ...LINK, type: "6", content: "x" }, "with content"],
  ["a sparse file of old", { ...LINK, type: "S", content: "x" }, "unknown type"],
  ["an entry of a type nobody knows", { ...LINK, type: "Z" }, "unknown type"],
])("refuses %s in a folder that is left out", async (_, entry, says) => {
  await expect(openArchive(rawTarGz([SKILL_FILE, entry, NOTES]), { leaveOut })).rejects.toMatchObject({
    code: "SKILL_INVALID",
    message: expect.stringContaining(says),
  });
});

describe("what is left out of a tar.gz does not count", () => {
  const large = {
    name: ".venv/large",
    content: randomBytes(64 * 1024)
      .toString("hex")
      .repeat(96),
  };
  const dense = { name: ".venv/dense", content: Buffer.alloc(5_000_000) };

  test.each<[string, readonly RawTarEntry[], { bytes?: number }]>([
    ["12 MiB over a limit of 1 MiB", [large], { bytes: 2 ** 20 }],
    ["content that is packed more than 200 times", [dense], {}],
  ])("%s", async (_, entries, limits) => {
    const archive = await openArchive(rawTarGz([SKILL_FILE, ...entries, NOTES]), { leaveOut, limits });
    expect(archive.files.map(({ path }) => path)).toEqual(["SKILL.md", "notes.txt"]);
    const read: string[] = [];
    for await (const { path, content } of archive.contents()) read.push(`${path}: ${await text(content)}`);
    expect(read.at(-1)).toBe("notes.txt: text");
  });

  test("a decompression bomb in left-out content is refused", async () => {
    const zeros = rawTar([SKILL_FILE, { name: ".venv/zeros", size: 2 ** 30 }], Buffer.alloc(0));
    await expect(openArchive(gzippedZeros(1024, zeros), { leaveOut })).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: expect.stringContaining("unpacks to more than"),
    });
  });

  test("the skill's own bytes count", async () => {
    const own = { ...large, name: "large" };
    const opened = openArchive(rawTarGz([SKILL_FILE, own]), { leaveOut, limits: { bytes: 2 ** 20 } });
    await expect(opened).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    const bomb = openArchive(rawTarGz([SKILL_FILE, { ...dense, name: "dense" }]), { leaveOut });
    await expect(bomb).rejects.toMatchObject({ message: expect.stringContaining("200 times") });
  });
});

function text(content: ByteSource): Promise<string> {
  return readText(byteStream(content), 1000);
}
