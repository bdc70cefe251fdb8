import { describe, expect, test } from "vitest";
import { leastTime } from "../../../test/timing/least-time.js";
import type { LintedFile } from "../src/index.js";
import { headed, lint, skillFile } from "./lint-case.js";

const KIBIBYTE = 1024;

/** Four times the repetition may take four times as long, not sixteen times. */
describe("a text designed to be slow takes time linear in its length", () => {
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
    const bound = 12 * Math.max(fastest(bothWays(text(32 * KIBIBYTE))), 5);
    expect(fastest(bothWays(text(128 * KIBIBYTE)), bound)).toBeLessThan(bound);
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
    const bound = 12 * Math.max(fastest(files(32 * KIBIBYTE)), 5);
    expect(fastest(files(128 * KIBIBYTE), bound)).toBeLessThan(bound);
  });

  test("1 MiB on one line, in SKILL.md and in a script", () => {
    expect(fastest(bothWays("![a](http://a?b=".repeat(64 * KIBIBYTE)), 5000)).toBeLessThan(5000);
  });
});

function bothWays(text: string): LintedFile[] {
  return [skillFile(text), { path: "run.sh", content: text }];
}

const fastest = (files: readonly LintedFile[], bound?: number) => leastTime(() => lint(files), bound);
