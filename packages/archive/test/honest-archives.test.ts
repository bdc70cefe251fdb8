import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openArchive, unpackArchive } from "../src/index.js";
import { SKILL_FILE } from "./hostile/hostile-case.js";
import { longName, pax, rawTar, rawTarGz } from "./raw/raw-tar.js";
import { descriptor, extraField, rawZip, unicodePath } from "./raw/raw-zip.js";
import { filesBelow, temporaryDirectory } from "./temporary-directory.js";

/** Archives as real packers write them, built by hand so that the packers need not be installed. */
describe("entry names", () => {
  test("keep characters beyond ASCII (TAR-04)", async () => {
    const names = ["demo/r\u00e9sum\u00e9.md", "demo/\u8cc7\u6599/\u8aac\u660e.md", "demo/\u{1f600}.txt"];
    const files = [
      { ...SKILL_FILE, name: "demo/SKILL.md" },
      ...names.map((name) => ({ name, content: "x" })),
    ];
    for (const bytes of [rawZip(files), rawTarGz(files)]) {
      await using outside = await temporaryDirectory();
      const { directory } = await unpackArchive(bytes, { directory: outside.path });
      const expected = ["SKILL.md", ...names.map((name) => name.slice("demo/".length))].sort();
      expect(Object.keys(await filesBelow(directory)).sort()).toEqual(expected);
    }
  });

  test("names with combining accents, as macOS writes them, are unpacked in NFC with a diagnostic", async () => {
    const { files, diagnostics } = await openArchive(rawZip([SKILL_FILE, { name: "cafe\u0301.txt" }]));
    expect(files.map(({ path }) => path)).toEqual(["SKILL.md", "caf\u00e9.txt"]);
    expect(diagnostics).toMatchObject([{ code: "archive.name-normalised", path: "caf\u00e9.txt" }]);
  });

  test.each([
    ["code page 437", Buffer.from([0x82, 0x2e, 0x74]), "\u00e9.t"],
    ["UTF-8", Buffer.from("\u00e9.t"), "\u00e9.t"],
  ])(
    "without an encoding flag are read as %s if they are valid in it, with a diagnostic",
    async (encoding, name, read) => {
      const { files, diagnostics } = await openArchive(rawZip([SKILL_FILE, { name, flags: 0 }]));
      expect(files[1]?.path).toBe(read);
      expect(diagnostics).toMatchObject([{ code: "archive.name-encoding", path: read }]);
      expect(diagnostics[0]?.message).toContain(encoding);
    },
  );

  test.each([
    ["code page 437", Buffer.from([0x82, 0x2e, 0x74])],
    ["escapes", Buffer.from("#U00e9.t")],
    ["question marks", Buffer.from("?.t")],
  ])("use Info-ZIP's Unicode name if the plain one has %s", async (_, name) => {
    const extra = unicodePath(name, "\u00e9.t");
    const { files, diagnostics } = await openArchive(rawZip([SKILL_FILE, { name, flags: 0, extra }]));
    expect([files[1]?.path, diagnostics]).toEqual(["\u00e9.t", []]);
  });

  test("names of 100 bytes and more are read from pax and GNU headers", async () => {
    const long = `${"a".repeat(120)}/${"b".repeat(120)}.txt`;
    for (const header of [pax({ path: long }), longName(long)]) {
      const { files } = await openArchive(rawTarGz([SKILL_FILE, header, { name: "short", content: "x" }]));
      expect(files[1]).toEqual({ path: long, size: 1, executable: false });
    }
  });

  test("lose a leading ./", async () => {
    const entries = [
      { name: "./", type: "5" },
      { ...SKILL_FILE, name: "./SKILL.md" },
      { name: "./a/b.txt", content: "x" },
    ];
    const { layout, files } = await openArchive(rawTarGz(entries));
    expect([layout, files.map(({ path }) => path)]).toEqual(["bare", ["SKILL.md", "a/b.txt"]]);
  });
});

describe("files that are not part of a skill", () => {
  test.each(["__MACOSX/demo/._SKILL.md", "demo/._SKILL.md", "demo/.DS_Store", "demo/.git/config"])(
    "%s is left out with a diagnostic",
    async (name) => {
      const skill = { ...SKILL_FILE, name: "demo/SKILL.md" };
      for (const bytes of [
        rawZip([{ name, content: "x" }, skill]),
        rawTarGz([{ name, content: "x" }, skill]),
      ]) {
        await using outside = await temporaryDirectory();
        const { directory, diagnostics } = await unpackArchive(bytes, { directory: outside.path });
        expect(Object.keys(await filesBelow(directory))).toEqual(["SKILL.md"]);
        const path = name.replace(/^demo\//, "");
        expect(diagnostics).toMatchObject([{ code: "archive.left-out", path }]);
      }
    },
  );

  test("are reported in at most 21 diagnostics", async () => {
    const clutter = Array.from({ length: 300 }, (_, index) => ({ name: `.git/${index}` }));
    const { diagnostics } = await openArchive(rawZip([SKILL_FILE, ...clutter]));
    expect(diagnostics).toHaveLength(21);
    expect(diagnostics.at(-1)?.message).toContain("280 more");
  });

  test("a comment, as code hosts write one, is reported", async () => {
    const { diagnostics } = await openArchive(rawZip([SKILL_FILE], { comment: Buffer.from("0123abcd") }));
    expect(diagnostics).toMatchObject([{ code: "archive.comment" }]);
  });
});

describe("file modes", () => {
  test("keep only the executable bit; special bits are reported (TAR-09)", async () => {
    const modes = { "run.sh": 0o755, "group.sh": 0o654, "plain.txt": 0o777 & ~0o100, "root.sh": 0o6777 };
    const named = Object.entries(modes);
    const zip = rawZip([SKILL_FILE, ...named.map(([name, mode]) => ({ name, mode: 0o100000 | mode }))]);
    const tar = rawTarGz([SKILL_FILE, ...named.map(([name, mode]) => ({ name, mode }))]);
    for (const bytes of [zip, tar]) {
      await using outside = await temporaryDirectory();
      const { directory, diagnostics } = await unpackArchive(bytes, { directory: outside.path });
      const written = Object.entries(await filesBelow(directory)).map(([name, { mode }]) => [name, mode]);
      expect(Object.fromEntries(written)).toEqual({
        "SKILL.md": masked(0o644),
        "run.sh": masked(0o755),
        "group.sh": masked(0o644),
        "plain.txt": masked(0o644),
        "root.sh": masked(0o755),
      });
      expect(diagnostics).toMatchObject([{ code: "archive.mode-dropped", path: "root.sh" }]);
    }
  });
});

describe("accepts archive variants:", () => {
  test.each([16, 12])("a streamed zip with sizes in %i bytes behind the data", async (length) => {
    const packed = Buffer.from("text");
    const after = descriptor("text", packed).subarray(16 - length);
    const local = { size: 0, packedSize: 0, crc32: 0 };
    const streamed = { name: "a.txt", content: "text", flags: 0x808, local, after };
    const { files } = await openArchive(rawZip([SKILL_FILE, streamed]));
    expect(files[1]).toEqual({ path: "a.txt", size: 4, executable: false });
  });

  test("extra fields with times and owners", async () => {
    const extra = Buffer.concat([extraField(0x5455, Buffer.alloc(5)), extraField(0x7875, Buffer.alloc(11))]);
    const { files } = await openArchive(rawZip([{ ...SKILL_FILE, extra }]));
    expect(files).toHaveLength(1);
  });

  test("a tar of a commit, with a global comment and macOS attributes", async () => {
    const tar = rawTar([
      pax({ comment: "0123abcd" }, "g"),
      pax({ mtime: "1.5", "LIBARCHIVE.xattr.com.apple.provenance": "AQ", "SCHILY.fflags": "nodump" }),
      SKILL_FILE,
    ]);
    expect((await openArchive(gzipSync(tar))).files).toHaveLength(1);
  });

  test("gzip with a file name, a comment, extra data and a header checksum", async () => {
    const plain = rawTarGz([SKILL_FILE]);
    const extra = Buffer.from([3, 0, 1, 2, 3]);
    const texts = Buffer.from("skill.tar\0made by hand\0");
    const header = Buffer.from(plain.subarray(0, 10));
    header.writeUInt8(0x2 | 0x4 | 0x8 | 0x10, 3);
    const bytes = Buffer.concat([header, extra, texts, Buffer.alloc(2), plain.subarray(10)]);
    expect((await openArchive(bytes)).files).toHaveLength(1);
  });
});

/** The mode after this process's umask. */
function masked(mode: number): string {
  return (mode & ~process.umask()).toString(8);
}
