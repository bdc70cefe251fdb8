import { describe, expect, test } from "vitest";
import { archivedSkillFolder } from "../src/archived-skill-folder.js";

describe("where the skill is in an archive", () => {
  test.each([
    ["at the top", ["a.md", "SKILL.md"], undefined],
    ["at the top, with one inside", ["SKILL.md", "demo/SKILL.md"], undefined],
    ["in the one folder", ["demo/a.md", "demo/SKILL.md"], "demo"],
    ["in the one folder, with one inside", ["demo/SKILL.md", "demo/sub/SKILL.md"], "demo"],
  ])("%s", (_, paths, folder) => {
    expect(archivedSkillFolder(paths)).toBe(folder);
  });

  test.each([
    ["no files", [], "has no files"],
    ["two roots", ["a/SKILL.md", "b/x"], 'several top-level entries ("a", "b")'],
    ["a file beside the folder", ["LICENSE", "a/SKILL.md"], '"LICENSE", "a"'],
    ["many roots", ["a/SKILL.md", "b", "c", "d", "e", "f"], '"e", ...)'],
    ["another spelling", ["skill.md"], '"skill.md" instead of SKILL.md'],
    ["another spelling in a folder", ["a/Skills.MD"], '"a/Skills.MD" instead of SKILL.md'],
    ["one that is too deep", ["a/b/SKILL.md", "a/c"], 'too deep in the archive, at "a/b/SKILL.md"'],
    ["none", ["a/b", "a/c"], "no SKILL.md"],
  ])("%s has its own error (TAR-02)", (_, paths, says) => {
    expect(() => archivedSkillFolder(paths)).toThrow(expect.objectContaining({ code: "SKILL_INVALID" }));
    expect(() => archivedSkillFolder(paths)).toThrow(says);
  });
});
