import { isContainedPath } from "@skillwright/core";
import type { ArchiveEntry } from "@skillwright/core/adapter";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/full-form.js";
import { type ArchiveVerdict, archiveRules } from "../../src/index.js";

const LIMITS = { files: 3, bytes: 100, skillFileBytes: 50 };

function file(name: string, size = 1): ArchiveEntry {
  return { name, kind: "file", size };
}

function folder(name: string): ArchiveEntry {
  return { name, kind: "folder", size: 0 };
}

/** Short form of the verdicts: an accepted path, the refusing rule, or `leave`. */
function judged(entries: readonly ArchiveEntry[], limits = LIMITS): string[] {
  const rules = archiveRules(limits);
  return entries.map((entry) => short(rules.judge(entry)));
}

function short(verdict: ArchiveVerdict): string {
  if (verdict.verdict === "take") return verdict.path;
  return verdict.verdict === "refuse" ? verdict.rule : "leave";
}

describe("a verdict", () => {
  test("accepts plain files, with the executable bit of the owner", () => {
    const rules = archiveRules();
    const modes = [undefined, 0o644, 0o755, 0o611, 0o100];
    const verdicts = modes.map((mode, index) =>
      rules.judge({ ...file(`${index}`), ...(mode !== undefined && { mode }) }),
    );
    expect(verdicts.map((verdict) => verdict.verdict === "take" && verdict.executable)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  test.each([
    ["symbolic link", "archive.link"],
    ["hard link", "archive.link"],
    ["device", "archive.type"],
    ["pipe", "archive.type"],
    ["socket", "archive.type"],
    ["sparse file", "archive.type"],
    ["other", "archive.type"],
  ] as const)("refuses a %s by %s (TAR-12)", (kind, rule) => {
    const verdict = archiveRules().judge({ name: "odd", kind, size: 0 });
    expect(verdict).toMatchObject({ verdict: "refuse", rule, error: { code: "SKILL_INVALID" } });
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 60])("refuses a size of %d", (size) => {
    expect(judged([file("a", size)])).toEqual(["archive.size"]);
  });

  test("leaves out directories, the top directory, and files of macOS and version control", () => {
    const names = ["docs/", "./", "."];
    const clutter = [
      "__MACOSX/a",
      "a/._b",
      ".DS_Store",
      ".git/config",
      "sub/.GIT/config",
      ".svn",
      ".g\u200dit/config",
    ];
    expect(judged([...names.map(folder), ...clutter.map((name) => file(name))])).toEqual(
      [...names, ...clutter].map(() => "leave"),
    );
  });

  test("detects a bomb by the packed size: more than 200 times, above 1 MiB", () => {
    const limits = { files: 9, bytes: 2 ** 30, skillFileBytes: 50 };
    const mebibyte = 2 ** 20;
    const entries = [
      { ...file("a", mebibyte), packedSize: 1 },
      { ...file("b", 200 * 10_000), packedSize: 10_000 },
      { ...file("c", 200 * 10_000 + 1), packedSize: 10_000 },
      { ...file("d", mebibyte + 1), packedSize: 0 },
      file("e", 100 * mebibyte),
    ];
    expect(judged(entries, limits)).toEqual(["a", "b", "archive.limit", "archive.limit", "e"]);
  });
});

describe("the rules of one archive", () => {
  test("the first of two equal paths wins, for a caller that continues (TAR-08)", () => {
    expect(judged([file("a"), file("a"), file("A"), file("b")])).toEqual([
      "a",
      "archive.duplicate",
      "archive.collision",
      "b",
    ]);
  });

  test("a refused entry does not affect later ones", () => {
    const link: ArchiveEntry = { name: "a", kind: "symbolic link", size: 0 };
    expect(judged([link, file("../a"), file("a\\b"), file("a"), file("b", 101)])).toEqual([
      "archive.link",
      "archive.path",
      "archive.backslash",
      "a",
      "archive.limit",
    ]);
  });

  test("a directory may occur again, but never also as a file", () => {
    const entries = [
      folder("a/"),
      folder("a/"),
      folder("a"),
      file("a"),
      file("b"),
      folder("b/"),
      file("b/c"),
    ];
    const refused = "archive.duplicate";
    expect(judged(entries)).toEqual(["leave", "leave", "leave", refused, "b", refused, refused]);
  });

  test.each([
    ["a.md", "A.MD"],
    ["docs/a", "Docs/b"],
    ["stra\u00dfe", "STRASSE"],
    ["\u017f", "S"],
    ["a\u200bb", "ab"],
    ["\u00e9", "\u00c9"],
  ])("%s and %s are the same file on some system (TAR-13)", (one, two) => {
    expect(judged([file(one), file(two)])).toEqual([one, "archive.collision"]);
    expect(judged([file(two), file(one)])).toEqual([two, "archive.collision"]);
  });

  test("the number of files, bytes, entries and depth are limited (TAR-14)", () => {
    expect(judged(["a", "b", "c", "d"].map((name) => file(name))).at(-1)).toBe("archive.limit");
    expect(judged([file("a", 60), file("b", 40), file("c", 1)])).toEqual(["a", "b", "archive.limit"]);
    expect(judged([file("SKILL.md", 51)])).toEqual(["archive.limit"]);
    const folders = Array.from({ length: 77 }, (_, index) => folder(`${index}/`));
    expect(
      judged(folders)
        .map((verdict) => verdict === "leave")
        .lastIndexOf(true),
    ).toBe(75);
    const deepest = `${"d/".repeat(31)}a`;
    expect(judged([file(deepest), file(`${"e/".repeat(32)}a`)])).toEqual([deepest, "archive.limit"]);
  });

  test("a name is normalized to NFC, and two forms of one name are one file", () => {
    expect(judged([file("cafe\u0301"), file("caf\u00e9")])).toEqual(["caf\u00e9", "archive.duplicate"]);
  });

  test("tells that it normalized a name, and nothing of a plain name or the top directory", () => {
    const told = [file("cafe\u0301"), file("plain"), folder("./")].map((entry) => {
      const verdict = archiveRules().judge(entry);
      return verdict.verdict === "refuse" ? verdict.rule : verdict.diagnostics;
    });
    expect(told).toEqual([
      [expect.objectContaining({ code: "archive.name-normalised", path: "caf\u00e9" })],
      [],
      [],
    ]);
  });

  test("a name that is no file name on some system is refused in each part of a path", () => {
    expect(judged([file("docs/nul.txt"), file("con/a"), file("docs/ok.txt")])).toEqual([
      "archive.name",
      "archive.name",
      "docs/ok.txt",
    ]);
  });
});

test("nothing throws for any archive, and accepted paths are contained and distinct on every system", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "..",
      ".",
      "",
      "a",
      "A",
      "e\u0301",
      "\u00e9",
      "nul",
      "b.",
      "\\",
      "C:",
      "\0",
      ".git",
      "\ud800",
    ),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const entry = fc.record({
    name: fc.array(part, { maxLength: 4 }).map((parts) => parts.join("/")),
    kind: fc.constantFrom("file", "folder", "symbolic link", "other"),
    size: fc.oneof(fc.nat(), fc.double()),
    mode: fc.nat(0o177777),
    packedSize: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
      const rules = archiveRules();
      const paths: string[] = [];
      for (const each of entries) {
        const verdict = rules.judge(each as ArchiveEntry);
        if (verdict.verdict === "take") paths.push(verdict.path);
      }
      expect(paths.filter((path) => !isContainedPath(path))).toEqual([]);
      expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
      expect(paths.filter((path) => paths.some((other) => other.startsWith(`${path}/`)))).toEqual([]);
    }),
    runs(500),
  );
});
