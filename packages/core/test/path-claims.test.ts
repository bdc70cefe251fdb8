import { expect, test } from "vitest";
import { parentsOf, pathClaims } from "../src/repository/path-claims.js";

test("all parent directories of a path, outermost first", () => {
  expect(parentsOf("a/b/c/d")).toEqual(["a", "a/b", "a/b/c"]);
  expect(parentsOf("a")).toEqual([]);
});

test.each([
  ["a", "a/b/c"],
  ["a/b", "a/b/c"],
  ["a", "a/b/c/d"],
])("the file %s and the file %s exclude each other, whichever comes first", (outer, inner) => {
  for (const [first, second] of [
    [outer, inner],
    [inner, outer],
  ] as const) {
    const claims = pathClaims("upload");
    claims.file(first);
    expect(() => claims.file(second)).toThrow(/as a file and as a folder/);
    expect(claims.fileCount).toBe(1);
  }
});
