import { describe, expect, it } from "vitest";
import { sourceFiles } from "./readers/source-files.js";

const code = ["packages", "apps", "examples", "bench", "scripts", "skills", "test", ".ci"].flatMap((folder) =>
  sourceFiles(folder),
);

describe("source code", () => {
  it("recognises SkillError by its code, never by its class, which another copy of core would not share", () => {
    const outsideTests = code.filter(({ path }) => !path.includes("/test/"));
    expect(filesWith(outsideTests, /\binstanceof\s+SkillError\b/)).toEqual([]);
  });

  it("skips no test: a test that cannot run here is not registered, and reports that", () => {
    const leftOut =
      /\b(?:(?:it|test|describe|suite)\.(?:skip|skipIf|runIf|todo|only|fails)|(?:context|ctx|t)\.skip)\b/;
    const tests = code.filter(({ path }) => path.endsWith(".test.ts") || path.includes("/testing"));
    expect(tests.length).toBeGreaterThan(5);
    expect(filesWith(tests, leftOut)).toEqual([]);
  });

  it("repeats no test that failed", () => {
    const repeated = /\b(?:retry|repeats)\s*:\s*\d|--retry\b/;
    expect(filesWith([...code, ...sourceFiles(".", /^vitest.*\.ts$/)], repeated)).toEqual([]);
  });

  it("uses no standard library that the oldest supported Node lacks", () => {
    const tooNew =
      /\bPromise\.try\b|\bRegExp\.escape\b|\bError\.isError\b|\bIterator\.concat\b|\bMath\.sumPrecise\b|\bURLPattern\b|\bFloat16Array\b/;
    const written = code.filter(({ path }) => !path.endsWith(".bundle.mjs"));
    expect(filesWith(written, tooNew)).toEqual([]);
  });
});

/** This file contains the patterns itself, so it is not checked. */
function filesWith(files: { path: string; text: string }[], pattern: RegExp): string[] {
  return files
    .filter(({ path }) => path !== "test/repository/forbidden-code.test.ts")
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path);
}
