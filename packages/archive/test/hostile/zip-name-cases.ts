import { type RawZipEntry, rawZip, unicodePath } from "../raw/raw-zip.js";
import { type HostileCase, SKILL_FILE } from "./hostile-case.js";

/** Cases about names and types of entries. */
export const zipNameCases: readonly HostileCase[] = [
  outside("Z-01", "a name that leaves by .. (TAR-02, TAR-03)", "../evil.txt", '"../evil.txt"'),
  outside("Z-02", "a name that leaves in the middle", "a/../../evil.txt", '"a/../../evil.txt"'),
  outside("Z-03", "an absolute name (TAR-02, TAR-03)", "/etc/evil.txt", '"/etc/evil.txt"'),
  outside("Z-04", "a drive letter", "C:/evil.txt", '"C:/evil.txt"'),
  outside("Z-05", "a drive letter without a slash", "C:evil.txt", '"C:evil.txt"'),
  outside("Z-06", "a name that leaves by backslashes", "..\\..\\evil.txt", '"..\\\\..\\\\evil.txt"'),
  named("Z-07", "a backslash that is a folder on Windows", "a\\b.txt", ['"a\\\\b.txt"', "backslash"]),
  named("Z-08", "a share of Windows", "\\\\server\\share", ["server", "backslash"]),
  named("Z-09", "a device of Windows", "docs/NUL.txt", ['"docs/NUL.txt"', "device"]),
  named("Z-10", "a final dot, which Windows drops", "SKILL.md.", ['"SKILL.md."', "dot or a space"]),
  named("Z-11", "a stream of Windows", "SKILL.md:hidden", ['"SKILL.md:hidden"', "colon"]),
  named("Z-12", "a control character", "a\nb.txt", ["a\\nb.txt", "control"]),
  named("Z-13", "a NUL, where C ends the name", "a.md\0.sh", ["a.md\\u0000.sh", "control"]),
  named("Z-14", "an empty name", "", ["empty name"]),
  named("Z-15", "an empty part", "a//b.txt", ['"a//b.txt"', "empty part"]),
  named("Z-16", "a part of 256 bytes", "x".repeat(256), ["xxx", "255 bytes"]),
  typed(
    "Z-17",
    "a symbolic link (TAR-03)",
    { name: "link", mode: 0o120777, content: "/etc/passwd" },
    "symbolic link",
  ),
  typed("Z-18", "a device", { name: "null", mode: 0o020666 }, "device"),
  typed("Z-19", "a pipe", { name: "pipe", mode: 0o010644 }, "pipe"),
  typed("Z-20", "a socket", { name: "socket", mode: 0o140755 }, "socket"),
  typed("Z-21", "a type that does not exist", { name: "odd", mode: 0o150644 }, "unknown type"),
  typed(
    "Z-22",
    "a folder that is named as a file",
    { name: "odd", mode: 0o040755 },
    "a folder according to its name",
  ),
  typed(
    "Z-23",
    "a file that is named as a folder",
    { name: "odd/", content: "x" },
    "a folder according to its name",
  ),
  typed(
    "Z-24",
    "a folder with content",
    { name: "odd/", mode: 0o040755, content: "x" },
    "folder with content",
  ),
  twins("Z-25", "the same name twice", "a.txt", "a.txt", ['"a.txt"', "twice"]),
  twins("Z-26", "a second SKILL.md by case", "skill.md", "x", ['"skill.md"', '"SKILL.md"']),
  twins("Z-27", "names that differ by Unicode form", "caf\u00e9.txt", "cafe\u0301.txt", [
    "caf\u00e9.txt",
    "twice",
  ]),
  twins("Z-28", "a SKILL.md with a letter nobody sees", "SKILL\u200d.md", "x", [
    "SKILL\u200d.md",
    "are the same file",
  ]),
  twins("Z-29", "folders that differ by case", "Docs/a.txt", "docs/b.txt", ['"docs/b.txt"', '"Docs"']),
  twins("Z-30", "a SKILL.md with a long s", "\u017fKILL.md", "x", ["KILL.md", "are the same file"]),
  twins("Z-31", "a file and a folder of one name", "a", "a/b", ['"a/b"', "used both as a file"]),
  {
    id: "Z-32",
    what: "a second name for readers of Unicode",
    bytes: () =>
      rawZip([SKILL_FILE, { ...file("notes.txt"), extra: unicodePath(Buffer.from("notes.txt"), "run.sh") }]),
    code: "SKILL_INVALID",
    says: ['"notes.txt"', '"run.sh"', "second name"],
  },
  {
    id: "Z-33",
    what: "a second name that leaves, behind one letter beyond ASCII",
    bytes: () => {
      const plain = Buffer.from([0x82, 0x2e, 0x74, 0x78, 0x74]);
      return rawZip([SKILL_FILE, { name: plain, flags: 0, extra: unicodePath(plain, "../\u00e9.txt") }]);
    },
    code: "SKILL_INVALID",
    says: ["../\u00e9.txt", "second name"],
  },
  {
    id: "Z-34",
    what: "a name that is marked as UTF-8 and is not",
    bytes: () => rawZip([SKILL_FILE, { name: Buffer.from([0x61, 0xff, 0x62]) }]),
    code: "SKILL_INVALID",
    says: ["\ufffd", "UTF-8"],
  },
];

function file(name: string): RawZipEntry {
  return { name, content: "text" };
}

function outside(id: string, what: string, name: string, shown: string): HostileCase {
  const bytes = () => rawZip([SKILL_FILE, file(name)]);
  return { id, what, bytes, code: "PATH_OUTSIDE", says: [shown, "Give a path below"] };
}

function named(id: string, what: string, name: string, says: readonly string[]): HostileCase {
  return { id, what, bytes: () => rawZip([SKILL_FILE, file(name)]), code: "PATH_INVALID", says };
}

function typed(id: string, what: string, entry: RawZipEntry, says: string): HostileCase {
  const shown = `"${String(entry.name)}"`;
  return { id, what, bytes: () => rawZip([SKILL_FILE, entry]), code: "SKILL_INVALID", says: [shown, says] };
}

function twins(id: string, what: string, one: string, two: string, says: readonly string[]): HostileCase {
  const bytes = () => rawZip([SKILL_FILE, file(one), file(two)]);
  return { id, what, bytes, code: "SKILL_INVALID", says };
}
