import { describe, expect, it } from "vitest";
import { type ListedFile, skillFileOf, skillFolders, skillRules } from "../../src/adapter.js";

const RULES = skillRules();

function listed(path: string, more: Partial<ListedFile> = {}): ListedFile {
  return { path, size: 1, stamp: "1", isText: true, ...more };
}

function search(entries: readonly ListedFile[], { keys = false, depth = 6, rules = RULES } = {}) {
  const { folders, diagnostics } = skillFolders(entries, { name: "top", depth, rules, keys });
  return { folders, told: diagnostics.map(({ code, path }) => `${code} ${path}`) };
}

describe("skillFolders", () => {
  it("finds the top directory, others below it and nested ones, whose files belong to both", () => {
    const { folders, told } = search(["SKILL.md", "a/b/SKILL.md", "a/b/x.txt"].map((path) => listed(path)));
    expect(folders.map(({ path, name, files }) => [path, name, files.map((file) => file.path)])).toEqual([
      [".", "top", ["SKILL.md", "a/b/SKILL.md", "a/b/x.txt"]],
      ["a/b", "b", ["SKILL.md", "x.txt"]],
    ]);
    expect(told).toEqual([]);
  });

  it("skips hidden directories and node_modules, and reports directories that are too deep once", () => {
    const paths = [".h/SKILL.md", "node_modules/m/SKILL.md", "a/b/SKILL.md", "a/c/SKILL.md"];
    const { folders, told } = search(
      paths.map((path) => listed(path)),
      { depth: 1 },
    );
    expect(folders).toEqual([]);
    expect(told).toEqual(["scan.depth a/b"]);
  });

  it("names the first hidden directory with skills, but none of a store without directories or inside a skill", () => {
    const paths = [
      ".agents/skills/one/SKILL.md",
      ".claude/skills/two/SKILL.md",
      ".x/node_modules/m/SKILL.md",
    ];
    const entries = paths.map((path) => listed(path));
    expect(search(entries).told).toEqual(["scan.hidden .agents/skills"]);
    expect(search(entries, { keys: true }).told).toEqual([]);
    expect(search([listed("SKILL.md"), ...entries]).told).toEqual([]);
  });

  it("leaves out links, submodules and second entries of a name with a diagnostic", () => {
    const entries = [listed("a/SKILL.md"), listed("a/x"), listed("a/x/y"), listed("a/l", { kind: "link" })];
    const [folder] = search([...entries, listed("a/m", { kind: "submodule" })]).folders;
    expect(folder?.files.map(({ path }) => path)).toEqual(["SKILL.md", "x"]);
    const told = folder?.diagnostics.map(({ code, path }) => `${code} ${path}`);
    expect(told).toEqual(["file.link l", "file.submodule m", "file.twice x/y"]);
  });

  it("accepts U+FFFD only in a path that is known to be text", () => {
    const known = search([listed("a/SKILL.md"), listed("a/\ufffd")]).folders[0];
    expect(known?.files).toHaveLength(2);
    const unknown = search([listed("a/SKILL.md"), listed("a/\ufffd", { isText: false })]).folders[0];
    expect(unknown?.diagnostics.map(({ code }) => code)).toEqual(["file.name"]);
  });

  it("reports a directory with an unusable name once, by its path, and not each file in it", () => {
    const paths = ["a/SKILL.md", "a/ok/b\u0001d/x", "a/ok/b\u0001d/y/z", "a/\ufffd/x"];
    const [folder] = search(paths.map((path) => listed(path, { isText: false }))).folders;
    expect(folder?.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ["file.name", "ok/b\\u{1}d"],
      ["file.name", "\ufffd"],
    ]);
  });

  it("reports a path whose parts are usable and that is too long as a whole", () => {
    const long = `${"d/".repeat(600)}f`;
    const [folder] = search([listed("a/SKILL.md"), listed(`a/${long}`)]).folders;
    expect(folder?.diagnostics.map(({ code, path }) => [code, path])).toEqual([["file.name", long]]);
  });

  it("finds a skill without a SKILL.md file where a tree has a directory of that name, and no skill among keys", () => {
    const entries = [listed("a/SKILL.md/x")];
    const [folder] = search(entries).folders;
    expect(folder && skillFileOf(folder)).toBeUndefined();
    expect(folder?.path).toBe("a");
    expect(search(entries, { keys: true }).folders).toEqual([]);
  });

  it("reports the first key that is not a plain path, and no directory marker", () => {
    const entries = ["a/", "b//SKILL.md", "c/../x"].map((path) => listed(path, { size: 0 }));
    expect(search(entries, { keys: true }).told).toEqual(["scan.key b//SKILL.md"]);
  });

  it("changes the change mark with a stamp, a path and a diagnostic, and with nothing else", () => {
    const mark = (...more: ListedFile[]) => search([listed("SKILL.md"), ...more]).folders[0]?.changeMark;
    const marks = [
      mark(),
      mark(listed("x")),
      mark(listed("y")),
      mark(listed("x", { stamp: "2" })),
      mark(listed("x", { kind: "link" })),
    ];
    expect(new Set(marks).size).toBe(marks.length);
    expect(mark(listed("x", { size: 9 }))).toBe(marks[1]);
  });

  it("keeps one file more than allowed, and reports too many files and bytes", () => {
    const few = skillRules({ limits: { files: 2 } });
    const many = ["SKILL.md", "a", "b", "c", "d"].map((path) => listed(path));
    const [full] = search(many, { rules: few }).folders;
    expect([full?.files.length, full?.excess?.code]).toEqual([3, "skill.too-many-files"]);
    const small = skillRules({ limits: { bytes: 4 } });
    expect(search(many, { rules: small }).folders[0]?.excess?.code).toBe("skill.too-large");
  });
});
