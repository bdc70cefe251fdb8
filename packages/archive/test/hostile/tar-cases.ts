import { gzipSync } from "node:zlib";
import { longName, pax, type RawTarEntry, rawTar, rawTarGz } from "../raw/raw-tar.js";
import { type HostileCase, SKILL_FILE } from "./hostile-case.js";

const NOTES: RawTarEntry = { name: "notes.txt", content: "text" };

export const tarCases: readonly HostileCase[] = [
  outside("T-01", "a name that leaves by .. (TAR-01)", [{ name: "../../evil" }], '"../../evil"'),
  outside("T-02", "an absolute name", [{ name: "/abs/evil" }], '"/abs/evil"'),
  outside("T-03", "a name that leaves in the middle", [{ name: "a/../../evil" }], '"a/../../evil"'),
  outside(
    "T-04",
    "a harmless name that a pax header replaces",
    [pax({ path: "../evil" }), NOTES],
    '"../evil"',
  ),
  outside("T-05", "a harmless name that a long name replaces", [longName("/evil"), NOTES], '"/evil"'),
  ...(["1", "2"] as const).map((type) =>
    refused(`T-0${Number(type) + 5}`, "a link", [{ name: "s", type, link: "/etc" }], ['"s"', "link"]),
  ),
  refused(
    "T-08",
    "a link, then a file through it",
    [{ name: "s", type: "2", link: "/etc" }, { name: "s/passwd" }],
    ['"s"', "link"],
  ),
  refused("T-09", "a character device", [{ name: "null", type: "3" }], ['"null"', "device"]),
  refused("T-10", "a block device", [{ name: "disk", type: "4" }], ['"disk"', "device"]),
  refused("T-11", "a pipe", [{ name: "pipe", type: "6" }], ['"pipe"', "pipe"]),
  refused("T-12", "a contiguous file", [{ name: "odd", type: "7" }], ['"odd"', "unknown type"]),
  refused("T-13", "a type nobody knows", [{ name: "odd", type: "Z" }], ['"odd"', "unknown type"]),
  refused("T-14", "a sparse file of old", [{ name: "odd", type: "S" }], ['"odd"', "unknown type"]),
  refused(
    "T-15",
    "a sparse file by pax",
    [pax({ "GNU.sparse.major": "1" }), NOTES],
    ['"notes.txt"', "sparse"],
  ),
  refused("T-16", "two sizes", [pax({ size: "0" }), NOTES], ['"notes.txt"', "two sizes"]),
  refused(
    "T-17",
    "a name for all entries",
    [pax({ path: "SKILL.md" }, "g"), NOTES],
    ['"path"', "all entries"],
  ),
  refused(
    "T-18",
    "a long name and a pax name",
    [longName("a.txt"), pax({ path: "b.txt" }), NOTES],
    ['"a.txt"', "more than one"],
  ),
  refused(
    "T-19",
    "two pax headers",
    [pax({ path: "a.txt" }), pax({ path: "b.txt" }), NOTES],
    ['"a.txt"', "more than one"],
  ),
  refused("T-20", "an empty pax name", [pax({ path: "" }), NOTES], ["empty name"]),
  refused(
    "T-21",
    "a link's target on a file",
    [pax({ linkpath: "/etc/passwd" }), NOTES],
    ['"notes.txt"', "link"],
  ),
  refused("T-22", "a long link's target on a file", [longName("/etc", "K"), NOTES], ['"notes.txt"', "link"]),
  refused(
    "T-23",
    "names in an unknown encoding",
    [pax({ hdrcharset: "BINARY" }), NOTES],
    ['"notes.txt"', "UTF-8"],
  ),
  refused(
    "T-24",
    "pax records with wrong lengths",
    [{ name: "x", type: "x", content: "99 path=a\n" }, NOTES],
    ["lengths do not match"],
  ),
  refused(
    "T-25",
    "a giant pax header",
    [{ name: "x", type: "x", size: 0o70000000000 }, NOTES],
    ['"x"', "7516192768"],
  ),
  refused(
    "T-26",
    "a size in binary",
    [{ ...NOTES, size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]) }],
    ['"notes.txt"', "octal"],
  ),
  refused(
    "T-27",
    "a size with a gap",
    [{ ...NOTES, size: Buffer.from("000000 0004\0") }],
    ['"notes.txt"', "octal"],
  ),
  refused(
    "T-28",
    "a folder with a body",
    [{ name: "docs/", type: "5", content: "x" }],
    ['"docs/"', "folder with content"],
  ),
  refused(
    "T-29",
    "a file with a folder's name and a body",
    [{ name: "docs/", content: "x" }],
    ['"docs/"', "folder with content"],
  ),
  refused("T-30", "the same name twice", [NOTES, NOTES], ['"notes.txt"', "twice"]),
  refused("T-31", "a second SKILL.md by case", [{ name: "Skill.md" }], ['"Skill.md"', "are the same file"]),
  refused("T-32", "a name that is not UTF-8", [{ name: Buffer.from([0x61, 0xff]) }], ["UTF-8"]),
  refused("T-33", "a wrong checksum", [{ ...NOTES, checksumOff: 1 }], ["tar cannot be read"]),
  {
    ...refused("T-34", "a name that is a device after its NUL", [{ name: "nul\0x" }], ['"nul"', "device"]),
    code: "PATH_INVALID",
  },
  {
    ...refused("T-35", "a NUL in a pax name", [pax({ path: "a\0b" }), NOTES], ["a\\u0000b"]),
    code: "PATH_INVALID",
  },
  {
    ...refused("T-36", "a pax name of 300 letters", [pax({ path: "x".repeat(300) }), NOTES], ["xxx"]),
    code: "PATH_INVALID",
  },
  bytes(
    "T-37",
    "entries behind the end",
    () => gzipSync(Buffer.concat([rawTar([SKILL_FILE]), rawTar([NOTES])])),
    ["data after its end"],
  ),
  bytes(
    "T-38",
    "text behind the end",
    () => rawTarGz([SKILL_FILE], Buffer.from(`${"\0".repeat(1024)}text`)),
    ["middle"],
  ),
  bytes("T-39", "a body that is cut off", () => gzipSync(rawTar([SKILL_FILE, NOTES]).subarray(0, 1536 + 2)), [
    "middle",
  ]),
  bytes("T-40", "a header for no entry", () => rawTarGz([SKILL_FILE, pax({ path: "a" })]), ["middle"]),
  bytes("T-41", "gzip around text", () => gzipSync("no tar ".repeat(200)), ["does not contain a valid tar"]),
  bytes(
    "T-42",
    "gzip in gzip",
    () => gzipSync(rawTarGz([SKILL_FILE, { name: "a", content: randomText() }])),
    ["does not contain a valid tar"],
  ),
];

function refused(
  id: string,
  what: string,
  entries: readonly RawTarEntry[],
  says: readonly string[],
): HostileCase {
  return bytes(id, what, () => rawTarGz([SKILL_FILE, ...entries]), says);
}

function outside(id: string, what: string, entries: readonly RawTarEntry[], shown: string): HostileCase {
  return { ...refused(id, what, entries, [shown, "Give a path below"]), code: "PATH_OUTSIDE" };
}

function bytes(id: string, what: string, make: () => Buffer, says: readonly string[]): HostileCase {
  return { id, what, bytes: make, code: "SKILL_INVALID", says };
}

/** Text that gzip cannot compress. */
function randomText(): string {
  return Array.from({ length: 1000 }, (_, index) => ((index * 7919) % 10007).toString(36)).join("");
}
