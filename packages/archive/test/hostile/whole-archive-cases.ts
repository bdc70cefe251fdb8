import { gzipSync } from "node:zlib";
import { rawTar, rawTarGz } from "../raw/raw-tar.js";
import { type RawZipEntry, rawZip } from "../raw/raw-zip.js";
import { type HostileCase, SKILL_FILE } from "./hostile-case.js";

const WRAPPED = { ...SKILL_FILE, name: "demo/SKILL.md" };

/** Cases about the whole archive: its format, the place of the skill in it, and its size. */
export const wholeArchiveCases: readonly HostileCase[] = [
  invalid("W-01", "nothing at all", () => Buffer.alloc(0), ["is empty"]),
  invalid("W-02", "a plain tar", () => rawTar([SKILL_FILE]), ["without gzip"]),
  invalid(
    "W-03",
    "a script that unpacks itself",
    () => rawZip([SKILL_FILE], { before: Buffer.from("#!/bin/sh\n") }),
    ["script"],
  ),
  invalid(
    "W-04",
    "a program that unpacks itself",
    () => rawZip([SKILL_FILE], { before: Buffer.from("MZ") }),
    ["program"],
  ),
  invalid("W-05", "a zip without entries", () => rawZip([]), ["no files"]),
  invalid("W-06", "a zip of folders only (TAR-02)", () => rawZip([{ name: "a/", mode: 0o040755 }]), [
    "no files",
  ]),
  invalid("W-07", "no SKILL.md (TAR-02)", () => rawZip([file("demo/a.txt"), file("demo/b.txt")]), [
    "no SKILL.md",
  ]),
  invalid("W-08", "two roots (TAR-02)", () => rawZip([WRAPPED, file("other/a.txt")]), ['"demo"', '"other"']),
  invalid("W-09", "two skills (TAR-02)", () => rawZip([WRAPPED, file("two/SKILL.md")]), ['"demo"', '"two"']),
  invalid("W-10", "a file beside the one folder", () => rawTarGz([WRAPPED, { name: "LICENSE" }]), [
    '"LICENSE"',
    '"demo"',
  ]),
  invalid("W-11", "SKILL.md in small letters", () => rawZip([file("demo/skill.md")]), [
    '"demo/skill.md"',
    "upper case",
  ]),
  invalid("W-12", "SKILL.md too deep", () => rawZip([file("a/b/SKILL.md")]), ['"a/b/SKILL.md"', "too deep"]),
  invalid("W-13", "SKILL.md without a header", () => rawZip([file("SKILL.md")]), [
    "SKILL.md",
    "cannot be used",
  ]),
  invalid(
    "W-14",
    "no folder to be named after",
    () => rawZip([{ name: "SKILL.md", content: "---\nname: ../x\ndescription: d\n---\n" }]),
    ['"../x"', "plain name"],
  ),
  invalid(
    "W-15",
    "a hidden folder and a name that is none",
    () => rawTarGz([{ name: ".ssh/SKILL.md", content: "---\nname: a/b\ndescription: d\n---\n" }]),
    ['".ssh"', '"a/b"'],
  ),
  invalid("W-16", "gzip that is cut off", () => rawTarGz([SKILL_FILE]).subarray(0, -4), ["ends too early"]),
  invalid("W-17", "gzip that is cut off in its data", () => rawTarGz([SKILL_FILE]).subarray(0, 80), [
    "gzip data",
  ]),
  invalid("W-18", "gzip with a wrong checksum", () => trailer(0, 1), ["checksum"]),
  invalid("W-19", "gzip with a wrong size", () => trailer(4, 1), ["a size that differs"]),
  invalid(
    "W-20",
    "bytes behind the gzip data",
    () => Buffer.concat([rawTarGz([SKILL_FILE]), Buffer.from("more")]),
    ["4 more bytes"],
  ),
  invalid("W-21", "a second gzip member", () => Buffer.concat([rawTarGz([SKILL_FILE]), gzipSync("more")]), [
    "followed by",
  ]),
  invalid(
    "W-22",
    "gzip with an unknown compression method",
    () => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0xe0]), Buffer.alloc(40)]),
    ["unknown compression method"],
  ),
  exceeded("W-23", "more files than allowed", () => rawZip([SKILL_FILE, ...many(512)]), [
    '"511.txt"',
    "512 files",
  ]),
  exceeded("W-24", "more files than allowed, as tar", () => rawTarGz([SKILL_FILE, ...many(512)]), [
    '"511.txt"',
    "512 files",
  ]),
  exceeded("W-25", "thousands of folders", () => rawZip([...folders(2200), SKILL_FILE]), ["2112 entries"]),
  exceeded("W-26", "33 folders deep", () => rawZip([SKILL_FILE, file(`${"d/".repeat(33)}a`)]), [
    "d/d/d",
    "deep",
  ]),
  exceeded("W-27", "17 MiB, declared", () => rawTarGz([SKILL_FILE, { name: "big", size: 17 * 2 ** 20 }]), [
    '"big"',
    "16777216 bytes",
  ]),
  exceeded("W-28", "many files of 17 MiB together", () => rawZip([SKILL_FILE, ...large(17)]), [
    '"15.bin"',
    "16777216 bytes",
  ]),
  exceeded(
    "W-29",
    "a SKILL.md of 2 MiB",
    () => rawZip([{ name: "demo/SKILL.md", content: Buffer.alloc(2 ** 21) }]),
    ["SKILL.md", "1048576"],
  ),
  exceeded(
    "W-30",
    "2 MiB from a few bytes",
    () => rawZip([SKILL_FILE, { name: "zeros", content: Buffer.alloc(2 ** 21), method: 8 }]),
    ['"zeros"', "200 times"],
  ),
  exceeded(
    "W-31",
    "2 MiB from a few bytes, as tar",
    () => rawTarGz([SKILL_FILE, { name: "zeros", content: Buffer.alloc(2 ** 21) }]),
    ["200 times"],
  ),
  exceeded(
    "W-32",
    "an archive of 33 MiB",
    () => Buffer.concat([rawZip([SKILL_FILE]), Buffer.alloc(33 * 2 ** 20)]),
    ["33554432 bytes"],
  ),
];

function file(name: string): RawZipEntry & { content: string } {
  return { name, content: "text" };
}

function many(count: number) {
  return Array.from({ length: count }, (_, index) => file(`${index}.txt`));
}

function folders(count: number): RawZipEntry[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${index}/`, mode: 0o040755 }));
}

function large(count: number): RawZipEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${index}.bin`,
    content: Buffer.alloc(2 ** 20),
  }));
}

function trailer(at: number, add: number): Buffer {
  const bytes = rawTarGz([SKILL_FILE]);
  bytes.writeUInt32LE((bytes.readUInt32LE(bytes.length - 8 + at) + add) >>> 0, bytes.length - 8 + at);
  return bytes;
}

function invalid(id: string, what: string, bytes: () => Buffer, says: readonly string[]): HostileCase {
  return { id, what, bytes, code: "SKILL_INVALID", says };
}

function exceeded(id: string, what: string, bytes: () => Buffer, says: readonly string[]): HostileCase {
  return { id, what, bytes, code: "LIMIT_EXCEEDED", says };
}
