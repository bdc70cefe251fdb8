import { describe, expect, test } from "vitest";
import { manifestSize } from "../../src/adapter.js";
import {
  isSkillDocument,
  type ManifestFile,
  manifestDigest,
  SkillError,
  skillManifest,
} from "../../src/index.js";

const file = (path: string, changes: Partial<ManifestFile> = {}): ManifestFile => ({
  path,
  size: 1,
  executable: false,
  sha256: "a".repeat(64),
  ...changes,
});
const digestOf = (...files: ManifestFile[]) => manifestDigest(skillManifest(files));

describe("the manifest", () => {
  test("sorts by the bytes of the paths, not by UTF-16 or locale", () => {
    const paths = ["b", "a/b", "a-b", "B", "é", "\ufffd", "🙂", "SKILL.md", "a"];
    const sorted = skillManifest(paths.map((path) => file(path))).files.map(({ path }) => path);
    expect(sorted).toEqual(["B", "SKILL.md", "a", "a-b", "a/b", "b", "é", "\ufffd", "🙂"]);
  });

  test("refuses a path given twice", () => {
    const twice = () => skillManifest([file("a"), file("b"), file("a", { size: 2 })]);
    expect(twice).toThrow(
      expect.objectContaining({ code: "SKILL_INVALID", message: expect.stringContaining('"a"') }),
    );
  });

  test.each(["../a", "/a", "a//b", "", "cafe\u0301"])("refuses the path %j", (path) => {
    const error = failure(() => skillManifest([file(path)]));
    expect(SkillError.is(error, "PATH_OUTSIDE") || SkillError.is(error, "PATH_INVALID")).toBe(true);
  });

  test("does not change the given list", () => {
    const files = Object.freeze([file("b"), file("a")]);
    skillManifest(files);
    expect(files.map(({ path }) => path)).toEqual(["b", "a"]);
  });

  test("adds up the bytes", () => {
    expect(manifestSize(skillManifest([file("a", { size: 5 }), file("b", { size: 7 })]))).toBe(12);
    expect(manifestSize(skillManifest([]))).toBe(0);
  });
});

describe("the digest", () => {
  test("is the SHA-256 over one line per file, computed by hand", () => {
    // printf '%s 1 - a\n%s 1 x b\n' "$A" "$A" | sha256sum, with 64 letters a as $A
    const expected = "sha256:161cca86a08fb7b309873b73fc81b28066ae52da2d3a3a271ab921c09a930f51";
    expect(digestOf(file("a"), file("b", { executable: true }))).toBe(expected);
  });

  test("does not depend on the order in which files were found", () => {
    expect(digestOf(file("b"), file("a"))).toBe(digestOf(file("a"), file("b")));
  });

  test.each<[change: string, changed: ManifestFile]>([
    ["the executable bit", file("a", { executable: true })],
    ["the size", file("a", { size: 2 })],
    ["the content", file("a", { sha256: "b".repeat(64) })],
    ["the name", file("b")],
  ])("changes with %s", (_, changed) => {
    expect(digestOf(changed)).not.toBe(digestOf(file("a")));
    expect(digestOf(changed)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

test("documents are the .md and .txt files beside SKILL.md", () => {
  for (const path of ["references/a.md", "NOTES.TXT", "sub/SKILL.md"])
    expect(isSkillDocument(path), path).toBe(true);
  for (const path of ["SKILL.md", "scripts/a.py", "a.md.bak", "md"])
    expect(isSkillDocument(path), path).toBe(false);
});

function failure(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
