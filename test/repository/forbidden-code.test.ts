import { describe, expect, it } from "vitest";
import { sourceFiles } from "./readers/source-files.js";
import { unexplainedCatches } from "./readers/unexplained-catches.js";

const code = ["packages", "apps", "examples", "bench", "scripts", "skills", "test", ".ci"].flatMap((folder) =>
  sourceFiles(folder),
);

const testCode = code.filter(({ path }) => /(?:^|\/)(?:test|\.ci)\//.test(path));

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

  it("waits in tests for what it expects, not for a time", () => {
    const sleep = String.raw`\b(?:setTimeout|delay|sleep|wait)\((?:\w+, )?`;
    const beforeExpectation = new RegExp(String.raw`${sleep}[^;\n]*\)\)?;(?:\s*//[^\n]*)*\s*expect\(`);
    expect(filesWith(testCode, beforeExpectation)).toEqual([]);
    const long = new RegExp(String.raw`${sleep}[1-9][\d_]{2,}\)`);
    expect(filesWith(testCode, long)).toEqual([
      // A reader that pauses, during which the sender must pause too.
      "packages/runtime-kubernetes/test/files/large-files.test.ts",
      // How often a stand-in for a network plug-in looks for pods.
      "packages/runtime-kubernetes/test/network/policy-engine.ts",
      // A broken runtime, which the contract must find out.
      "packages/runtime-local/test/broken/broken-runs.ts",
    ]);
    const lookTwice = /\$\([^)\n]*\)"?;\s*sleep [\d.]+;/;
    expect(filesWith(testCode, lookTwice)).toEqual([
      // It looks until nothing grows any more.
      "packages/runtime-kubernetes/test/faults/restarts-in-use.test.ts",
    ]);
  });

  it("expects no duration by the clock, on which other processes of the machine have an influence", () => {
    const duration =
      /\bexpect\(\s*(?:performance|Date)\.now\(\) - |\b(?:durationMs|elapsed(?:Ms)?)\)\s*\.toBeLess/;
    expect(filesWith(testCode, duration)).toEqual([]);
  });

  it("measures nothing in tests that other processes of the machine change", () => {
    const shared =
      /\breadFile(?:Sync)?\(\s*["'`]\/proc\/(?:net\/|loadavg|meminfo|stat\b|vmstat|diskstats)|\b(?:loadavg|freemem)\(\)|\breaddir(?:Sync)?\(\s*(?:os\.)?tmpdir\(\)/;
    expect(filesWith(testCode, shared)).toEqual([]);
  });

  it("gives files of tests no fixed place that another run could have", () => {
    const place =
      /\b(?:appendFile|copyFile|cp|createWriteStream|mkdir|rename|rm|symlink|writeFile)(?:Sync)?\(\s*["'`]\/(?:tmp|var\/tmp|dev\/shm)\/|(?<!mkdtemp(?:Sync)?\(\s*(?:path\.)?)\bjoin\(\s*(?:os\.)?tmpdir\(\),\s*"/;
    expect(filesWith(testCode, place)).toEqual([]);
  });

  it("chooses no port before it is bound", () => {
    expect(filesWith(code, /\.listen\(\s*[1-9]\d/)).toEqual([]);
    // Their servers cannot take a port that the system chooses, and are started again where it was taken meanwhile.
    expect(filesWith(code, /\bfreePorts?\b/)).toEqual([
      "packages/repository-s3/test/ceph-ports.stores.test.ts",
      "bench/stores/redis-server.mjs",
      "scripts/servers/ceph/free-ports.mjs",
      "scripts/servers/ceph/keep-ceph.mjs",
      "scripts/servers/postgres-server.mjs",
    ]);
  });

  it("drops no failure without a comment, on its line or above its statement, that says who hears of it instead", () => {
    const published = code.filter(({ path }) => /^(?:packages|apps)\/[^/]+\/src\//.test(path));
    const dropped = published.flatMap(({ path, text }) =>
      unexplainedCatches(text).map((line) => `${path}:${line}`),
    );
    expect(dropped).toEqual([]);
  });

  it.each([
    "await rm(path).catch(() => undefined);",
    "await rm(path).catch(() => {});",
    "await rm(path).catch(() => null);",
    "await readdir(path).catch(() => []);",
    'await readFile(path).catch(() => "");',
    "await isCurrent().catch(() => false);",
    "await answer.json().catch(() => ({}));",
    "await places().catch(() => new Map<string, string>());",
    "try {\n  close();\n} catch {}",
    "try {\n  close();\n} catch (error) {\n}",
    "/** Removes it. */\nawait rm(path).catch(() => undefined);",
    "/**\n * Removes it.\n */\nawait rm(path).catch(() => undefined);",
    "// Once.\nconst path = place();\nawait rm(path)\n  .then(done)\n  .catch(() => undefined);",
    'await rm("https://a").catch(() => undefined);',
  ])("finds a dropped failure: %j", (text) => {
    expect(unexplainedCatches(text)).toHaveLength(1);
  });

  it.each([
    "// The first failure is thrown.\nawait rm(path).catch(() => undefined);",
    "await rm(path).catch(() => undefined); // The first failure is thrown.",
    "/* The first failure is thrown. */\nawait rm(path).catch(() => undefined);",
    "// The first failure is thrown.\nawait rm(path)\n  .then(done)\n  .catch(() => undefined);",
    "try {\n  close();\n} catch {\n  // It is closed.\n}",
    "await rm(path).catch(ignoreGone);",
  ])("takes a failure with a reason: %j", (text) => {
    expect(unexplainedCatches(text)).toEqual([]);
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
