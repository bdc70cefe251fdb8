import { describe, expect, it } from "vitest";
import { artifactFolder, isVersion, versionFile, versionOf } from "../../src/artifacts/artifact-keys.js";

const scope = { app: "a", user: "b", session: "c" };

describe("keys of artifacts", () => {
  it("contain plain names unchanged", () => {
    expect(artifactFolder(scope, "report.md")).toBe("a/b/c/report.md/");
  });

  it("have four parts whatever the name, and stay far below the 1,024 bytes that a key may have", () => {
    for (const name of ["a/b", "../..", "x".repeat(1024), "\u{1f600}".repeat(64), "@1", ".", "a//b"]) {
      const folder = artifactFolder({ app: name, user: name, session: name }, name);
      expect(folder).toMatch(/^([A-Za-z0-9._-]*(~[0-9a-f]{24})?\/){4}$/);
      expect(folder.length).toBeLessThan(300);
      expect(folder.split("/").slice(0, -1)).not.toContain("..");
    }
  });

  it("differ for any two artifacts, however similar their names", () => {
    const names = [
      "a/b",
      "a_b",
      "a~b",
      "a b",
      "a%2Fb",
      "A_b",
      "a/b/",
      "\ud800",
      "\ud801",
      `${"x".repeat(60)}y`,
      "x".repeat(60),
    ];
    const folders = names.flatMap((name) => [
      artifactFolder(scope, name),
      artifactFolder({ ...scope, app: name }, "n"),
    ]);
    expect(new Set(folders).size).toBe(folders.length);
    // The result of encoding a name is a valid name too.
    for (const part of folders.flatMap((folder) => folder.split("/")).filter((text) => text.includes("~")))
      expect(folders).not.toContain(artifactFolder(scope, part));
  });

  it("sort newest first in a listing", () => {
    const versions = [0, 1, 9, 10, 99, 100, 999_999_999];
    const sorted = versions.map((version) => `x/${versionFile(version)}`).sort();
    expect(sorted.map(versionOf)).toEqual([...versions].reverse());
  });

  it("foreign keys are not parsed as records", () => {
    for (const key of ["x/1.json", "x/000000001.txt", "000000001.json", "x/0000000001.json", ""])
      expect(versionOf(key)).toBeUndefined();
    for (const version of [-1, 0.5, Number.NaN, 1e9]) expect(isVersion(version)).toBe(false);
  });
});
