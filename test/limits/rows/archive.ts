import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { archiveRules, openArchive } from "../../../packages/archive/src/index.js";
import { rawTar, rawTarGz } from "../../../packages/archive/test/raw/raw-tar.js";
import { type RawZipEntry, rawZip } from "../../../packages/archive/test/raw/raw-zip.js";
import { gzippedZeros } from "../../../packages/archive/test/zeros.js";
import { takesAtMost, zeros } from "../boundary.js";
import { limitsOf, MIB } from "../limit.js";

const SKILL = "---\nname: one\ndescription: One.\n---\n";
const ENTRIES = "src/rules/entry-refusal.ts";

export const archiveLimits = limitsOf("archive", [
  {
    option: "`limits.archiveBytes`",
    kind: "default",
    value: 32 * MIB,
    unit: "bytes",
    documented: ["README.md", "up to `limits.archiveBytes` (32 MiB)"],
    source: ["src/open-archive.ts", "archiveBytes: 32 * MEBIBYTE"],
    probe: async (value) => {
      // The permitted number of bytes is read, and they are not an archive.
      await expect(openArchive(zeros(value))).rejects.toMatchObject({ code: "SKILL_INVALID" });
      await expect(openArchive(zeros(value + 1))).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    },
  },
  {
    option: "`limits.treeFiles`",
    kind: "default",
    value: 4096,
    unit: "files",
    documented: ["README.md", "4,096 files and 64 MiB for the whole tree"],
    source: ["src/open-archive.ts", "treeFiles: 4096"],
    probe: async (value) => {
      const opened = async (count: number) => {
        const files = Array.from({ length: count - 1 }, (_, n) => ({ name: `one/${n}` }));
        const tree = rawTarGz(
          [{ name: "one/SKILL.md", content: SKILL }, ...files, { name: "x" }].slice(0, count),
        );
        return (await openArchive(tree, { trees: true, limits: { files: value } })).files.length;
      };
      expect(await opened(value)).toBe(value);
      await expect(opened(value + 1)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    },
  },
  {
    option: "`limits.treeBytes`",
    kind: "default",
    value: 64 * MIB,
    unit: "bytes",
    documented: ["README.md", "4,096 files and 64 MiB for the whole tree"],
    source: ["src/open-archive.ts", "treeBytes: 64 * MEBIBYTE"],
    probe: async (value) => {
      const declared = (size: number) => gzipSync(rawTar([{ name: "one/f", size }], Buffer.alloc(0)));
      // The permitted size is accepted, and then its content is missing.
      for (const [size, code] of [
        [value, "SKILL_INVALID"],
        [value + 1, "LIMIT_EXCEEDED"],
      ] as const)
        await expect(openArchive(declared(size), { trees: true })).rejects.toMatchObject({ code });
    },
  },
  {
    option: "`leaveOut`: entries left out",
    kind: "limit",
    value: 50_000,
    unit: "entries",
    documented: ["README.md", "up to 50,000 entries of it do not count"],
    source: ["src/rules/archive-rules.ts", "MAX_LEFT_ENTRIES = 50_000"],
    probe: (value) => {
      const rules = archiveRules(undefined, ["venv"]);
      const judge = (n: number) => rules.judge({ name: `venv/${n}`, kind: "file", size: 1 });
      for (let n = 0; n < value; n++) expect(judge(n).verdict).toBe("leave");
      expect(judge(value).verdict).toBe("refuse");
    },
  },
  {
    option: "`leaveOut`: unpacked bytes of a tar.gz, on top of the limits, for each packed one",
    kind: "limit",
    value: 200,
    unit: "times",
    documented: ["README.md", "up to 200 times its packed bytes on top of what the limits allow"],
    source: ["src/tar/open-tar.ts", "LEFT_OUT_RATIO = 200"],
    probe: async (value) => {
      const limits = { files: 1, bytes: 1000 };
      const packed = gzippedZeros(80, rawTar([{ name: "venv/f", size: 80 * MIB }], Buffer.alloc(0)));
      const most = packed.length * value + limits.bytes + (limits.files * 4 + 64) * 4096 + MIB;
      await expect(openArchive(packed, { limits, leaveOut: ["venv"] })).rejects.toMatchObject({
        code: "LIMIT_EXCEEDED",
        details: { limit: most },
      });
    },
  },
  {
    option: "directories deep",
    kind: "limit",
    value: 32,
    unit: "levels",
    documented: ["README.md", "32 directories deep"],
    source: [ENTRIES, "MAX_DEPTH = 32"],
    probe: async (value) =>
      await takesAtMost(value, (levels) => opened({ name: `${"d/".repeat(levels - 1)}f`, content: "x" })),
  },
  {
    option: "bytes of an entry for each packed one",
    kind: "limit",
    value: 200,
    unit: "times",
    documented: ["README.md", "at most 200 times the packed bytes above 1 MiB"],
    source: [ENTRIES, "MAX_RATIO = 200"],
    probe: async (value) => {
      const declared = (times: number) =>
        opened({
          name: "f",
          method: 8,
          packed: Buffer.alloc(40_000),
          local: { size: 40_000 * times },
          central: { size: 40_000 * times },
        });
      await takesAtMost(value, declared);
    },
  },
  {
    option: "bytes of an entry from which that counts",
    kind: "limit",
    value: MIB,
    unit: "bytes",
    documented: ["README.md", "at most 200 times the packed bytes above 1 MiB"],
    source: [ENTRIES, "RATIO_FROM_BYTES = 1024 * 1024"],
    probe: async (value) =>
      await takesAtMost(value, (size) =>
        opened({ name: "f", method: 8, packed: Buffer.alloc(8), local: { size }, central: { size } }),
      ),
  },
]);

async function opened(entry: RawZipEntry): Promise<unknown> {
  return await openArchive(rawZip([{ name: "SKILL.md", content: SKILL }, entry]));
}
