import { describe, expect, test } from "vitest";
import { withinMemory } from "../../../test/memory/within-memory.js";
import { unpackArchive } from "../src/index.js";
import { type HostileCase, SKILL_FILE } from "./hostile/hostile-case.js";
import { expectRefusal } from "./hostile/refusal.js";
import { rawTar } from "./raw/raw-tar.js";
import { rawZip } from "./raw/raw-zip.js";
import { temporaryDirectory } from "./temporary-directory.js";
import { deflatedZeros, gzippedZeros } from "./zeros.js";

const GIBIBYTE = 1024;
const header = rawTar([SKILL_FILE, { name: "zeros", size: 2 ** 30 }], Buffer.alloc(0));
const small = rawTar([SKILL_FILE], Buffer.alloc(0));

const cases: readonly HostileCase[] = [
  {
    id: "B-01",
    what: "1 GiB of zeros that a tar declares",
    bytes: () => gzippedZeros(GIBIBYTE, header),
    code: "LIMIT_EXCEEDED",
    says: ['"zeros"', "16777216 bytes"],
  },
  {
    id: "B-02",
    what: "1 GiB of zeros behind a small tar",
    bytes: () => gzippedZeros(GIBIBYTE, small),
    code: "LIMIT_EXCEEDED",
    says: ["unpacks to more than"],
  },
  {
    id: "B-03",
    what: "1 GiB of zeros in an entry that declares 100 bytes",
    bytes: () => zipOfZeros(100),
    code: "SKILL_INVALID",
    says: ['"zeros"', "more than the 100 bytes"],
  },
  {
    id: "B-04",
    what: "1 GiB of zeros in an entry that declares them",
    bytes: () => zipOfZeros(2 ** 30),
    code: "LIMIT_EXCEEDED",
    says: ['"zeros"', "200 times"],
  },
  {
    id: "B-05",
    what: "1 GiB of zeros in an entry that declares what the limits allow, just",
    bytes: () => zipOfZeros(2 ** 20),
    code: "SKILL_INVALID",
    says: ['"zeros"', "more than the 1048576 bytes"],
  },
  {
    id: "TAR-03",
    what: "10 GiB of zeros in an entry that declares 100 bytes",
    bytes: () => zipOfZeros(100, 10 * GIBIBYTE),
    code: "SKILL_INVALID",
    says: ['"zeros"', "more than the 100 bytes"],
  },
  {
    id: "TAR-03",
    what: "10 GiB of zeros in an entry that declares as many as it can",
    bytes: () => zipOfZeros(2 ** 32 - 2, 10 * GIBIBYTE),
    code: "LIMIT_EXCEEDED",
    says: ['"zeros"', "200 times"],
  },
  {
    id: "B-06",
    what: "100 entries over one block of data",
    bytes: () => quoted(100),
    code: "SKILL_INVALID",
    says: ['"0.txt"', "overlap"],
  },
];

describe("archive bombs", () => {
  test.each(cases)("$id $what: is refused with less than 100 MiB of memory", async (bomb) => {
    const bytes = bomb.bytes();
    await withinMemory(100 * 2 ** 20, () => expectRefusal({ ...bomb, bytes: () => bytes }));
  });

  test("an archive inside an archive stays packed, as an ordinary file", async () => {
    await using outside = await temporaryDirectory();
    const inner = gzippedZeros(16);
    const bytes = rawZip([SKILL_FILE, { name: "assets/inner.tar.gz", content: inner }]);
    const { files } = await unpackArchive(bytes, { directory: outside.path });
    expect(files.map(({ path, size }) => [path, size])).toEqual([
      ["SKILL.md", Buffer.byteLength(SKILL_FILE.content)],
      ["assets/inner.tar.gz", inner.length],
    ]);
  });
});

function zipOfZeros(size: number, mebibytes = GIBIBYTE): Buffer {
  const fields = { size, crc32: 0 };
  const packed = deflatedZeros(mebibytes);
  return rawZip([SKILL_FILE, { name: "zeros", method: 8, packed, central: fields, local: fields }]);
}

/** The data of each entry begins with the header of the next, and all share the same last block. */
function quoted(count: number): Buffer {
  const headers = Array.from({ length: count }, (_, index) => `${index}.txt`);
  let content: Buffer = Buffer.alloc(1000, "a");
  const sizes = new Map<string, Buffer>();
  for (const name of [...headers].reverse()) {
    sizes.set(name, content);
    const whole = rawZip([{ name, content }]);
    content = Buffer.concat([whole.subarray(0, 30 + name.length), content]);
  }
  let offset = 0;
  const entries = headers.map((name) => {
    const entry = { name, content: sizes.get(name) ?? "", ...(offset > 0 && { offset }) };
    offset += 30 + name.length;
    return entry;
  });
  return rawZip([...entries, SKILL_FILE]);
}
