import { describe, expect, test } from "vitest";
import type { LintedFile } from "../src/index.js";
import { headed, lint, shown, skillFile } from "./lint-case.js";

const DESCRIPTION = "description: Sums the columns of a CSV file, when the user asks for totals.";
const named = (rule: string, name: string, knownNames: readonly string[] = []) =>
  shown(rule, lint([headed(`name: ${name}`, DESCRIPTION)], { knownNames }));
const beside = (rule: string, ...files: LintedFile[]) =>
  lint([skillFile("# Steps"), ...files])
    .filter(({ code }) => code === rule)
    .map(({ severity, path, message }) => `${severity} ${path}: ${message}`);

describe("SEC-02: a name that can be mistaken for another one is a warning", () => {
  test.each([
    ["a Cyrillic letter among Latin ones", "p\u0430yment", []],
    ["a Greek letter among Latin ones", "p\u03bfdcast", []],
    ["Cyrillic letters that all look Latin", "\u0441\u043e\u0441\u043e", []],
    ["full-width letters", "\uff50\uff44\uff46", []],
    ["another name but for case", "PDF-Tools", ["pdf-tools"]],
    ["another name but for a digit", "paypa1", ["paypal"]],
    ["another name but for the kind of hyphen", "pdf\u2010tools", ["pdf-tools"]],
  ])("%s", (_, name, knownNames) => {
    expect(named("SEC-02", name, knownNames)).toEqual([`warning 2: ${name}`]);
  });

  test.each([
    ["its own name", "pdf-tools", ["pdf-tools"]],
    ["a name that merely begins alike", "pdf-tool", ["pdf-tools"]],
    ["Russian", "\u043d\u0430\u0432\u044b\u043a", []],
    ["Chinese with Latin", "pdf\u6280\u80fd", []],
    ["Latin with accents", "caf\u00e9", []],
    ["digits where no other name is known", "step-1", []],
  ])("does not report %s", (_, name, knownNames) => {
    expect(named("SEC-02", name, knownNames)).toEqual([]);
  });

  test("the folder's name replaces a missing one", () => {
    const [finding] = lint([headed(DESCRIPTION)], { directoryName: "p\u0430yment" });
    expect(finding).toMatchObject({ code: "SEC-02", severity: "warning" });
  });
});

describe("SEC-04: a name or path that means another place is an error", () => {
  test.each([
    ["../../etc/passwd", "../../etc/passwd"],
    ["a/b", "a/b"],
    ['"a\\\\b"', "a\\b"],
    ["con", "con"],
    ["nul.txt", "nul.txt"],
    ["tool.", "tool."],
    ['"c:tool"', "c:tool"],
    ['".."', ".."],
    ['"a\\0b"', "a\\u{0}b"],
  ])("the name %s", (name, excerpt) => {
    expect(named("SEC-04", name)).toEqual([`error 2: ${excerpt}`]);
  });

  test.each(["console", "next.js", "my skill", '"team:tool"'])("the name %s is accepted", (name) => {
    expect(named("SEC-04", name)).toEqual([]);
  });

  test.each([
    "../outside.md",
    "/etc/passwd",
    "a\\b.md",
    "scripts/aux.py",
    "notes /a.md",
    "a:b",
    "C:/x",
    "a//b",
  ])("the path %s", (path) => {
    expect(beside("SEC-04", { path })).toEqual([expect.stringContaining(`error ${path}: `)]);
  });

  test.each(["scripts/auxiliary.py", ".gitignore", "a b/c.md"])("the path %s is accepted", (path) => {
    expect(beside("SEC-04", { path })).toEqual([]);
  });
});

describe("SEC-05: an entry that is not a plain file is an error", () => {
  test("a link, and whether it leaves the skill", () => {
    expect(beside("SEC-05", { path: "docs/a.md", kind: "link", target: "../b.md" })).toEqual([
      'error docs/a.md: "docs/a.md" is a link to "../b.md".',
    ]);
    expect(beside("SEC-05", { path: "docs/a.md", kind: "link", target: "../../b.md" })).toEqual([
      'error docs/a.md: "docs/a.md" is a link to "../../b.md", outside the skill.',
    ]);
    expect(beside("SEC-05", { path: "a", kind: "link", target: "/etc/passwd" })).toEqual([
      expect.stringContaining("outside the skill"),
    ]);
  });

  test("a device or pipe, but no file", () => {
    expect(beside("SEC-05", { path: "pipe", kind: "special" })).toHaveLength(1);
    expect(beside("SEC-05", { path: "file", kind: "file", content: "text" })).toEqual([]);
  });
});

describe("SEC-06: two paths that may be one file are an error", () => {
  test.each([
    ["case", "Notes.md", "notes.md"],
    ["case of a folder", "Docs/a.md", "docs/b.md"],
    ["Unicode form", "caf\u00e9.md", "cafe\u0301.md"],
    ["a second SKILL.md by case", "a.md", "skill.md"],
    ["the same path twice", "a.md", "a.md"],
  ])("%s", (_, first, second) => {
    expect(beside("SEC-06", { path: first }, { path: second })).toEqual([
      expect.stringContaining(`error ${second}: `),
    ]);
  });

  test("files of the same name in different folders are not reported", () => {
    expect(beside("SEC-06", { path: "a/notes.md" }, { path: "b/notes.md" }, { path: "b/SKILL.md" })).toEqual(
      [],
    );
  });
});
