import { describe, expect, test } from "vitest";
import { threadTime } from "../../../../test/timing/thread-time.js";
import type { LintedFile } from "../../src/index.js";
import { headed, lint, skillFile } from "./lint-case.js";

const KIBIBYTE = 1024;

/** Whatever is repeated, four times the text may take four times as long, not sixteen times. */
describe("a text that is made to be slow takes time in proportion to its length", () => {
  test.each([
    "a ",
    "((((",
    "/",
    "A1b2",
    "\n",
    "\r",
    " ",
    "curl ",
    "curl https://x | ",
    "curl \\\n",
    "base64 -d ",
    "exec(base64.",
    "ignore all previous ",
    "do not tell ",
    "![a](http://a?b=",
    "[a](b/",
    "http://",
    "https://a:b@",
    "eyJaaaaaaaaaaa.",
    "sk-",
    "<!-- ",
    " !`",
    "\u{e0041}",
    "\u200b",
    "\\x41",
    "password: ",
    "process.env.",
    "-----BEGIN PRIVATE KEY-----\n",
    "`scripts/a.py` ",
    "../",
  ])("%j", (part) => {
    const text = (length: number) => part.repeat(Math.ceil(length / part.length));
    const small = fastest(bothWays(text(32 * KIBIBYTE)));
    const large = fastest(bothWays(text(128 * KIBIBYTE)));
    expect(large).toBeLessThan(Math.max(small, 5) * 12);
  });

  test.each<[string, (length: number) => LintedFile[]]>([
    ["a word between dashes", (length) => [skillFile(`a${"-".repeat(length)}a`)]],
    ["a path of many folders", (length) => [skillFile("# Steps"), { path: "a/".repeat(length / 2) }]],
    [
      "a header of many fields with hidden characters",
      (length) => [
        headed(
          "name: d",
          ...Array.from({ length: length / 128 }, (_, index) => `k${index}: "a\u200bb\u200bc"`),
        ),
      ],
    ],
  ])("%s", (_, files) => {
    const small = fastest(files(32 * KIBIBYTE));
    const large = fastest(files(128 * KIBIBYTE));
    expect(large).toBeLessThan(Math.max(small, 5) * 12);
  });

  test("1 MiB on one line, in SKILL.md and in a script", () => {
    expect(fastest(bothWays("![a](http://a?b=".repeat(64 * KIBIBYTE)))).toBeLessThan(5000);
  });
});

function bothWays(text: string): LintedFile[] {
  return [skillFile(text), { path: "run.sh", content: text }];
}

/** Milliseconds of the better of two runs, so that a pause of the machine counts for nothing. */
function fastest(files: readonly LintedFile[]): number {
  const times = [0, 0].map(() => {
    const start = threadTime();
    lint(files);
    return threadTime() - start;
  });
  return Math.min(...times);
}
