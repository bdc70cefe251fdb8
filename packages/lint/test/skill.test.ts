import { createHash } from "node:crypto";
import { manifestDigest, SKILL_LIMITS, skillManifest } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import type { LintedFile } from "../src/index.js";
import { BODY, headed, inBody, inScript, lint, shown, skillFile } from "./lint-case.js";

const DESCRIPTION = "description: Sums the columns of a CSV file, when the user asks for totals.";

describe("SEC-18: a request for approval is a warning", () => {
  test.each([
    ["allowed-tools: Bash Read", "Bash"],
    ["allowed-tools: [Read, 'Bash(*)']", "Bash(*)"],
    ["allowed-tools: Read, *", "*"],
    ["allowed-tools: Bash(sudo:*)", "Bash(sudo:*)"],
    ["hooks: {PreToolUse: []}", "hooks"],
    ["command-dispatch: tool", "command-dispatch"],
    ["metadata: {openclaw: {install: [{kind: brew, formula: jq}]}}", "brew:jq"],
  ])("%s", (line, named) => {
    const findings = lint([headed("name: d", DESCRIPTION, line)]).filter(({ code }) => code === "SEC-18");
    expect(findings).toMatchObject([{ severity: "warning", line: 4, column: 1, excerpt: line }]);
    expect(findings[0]?.message).toContain(named);
  });

  test("commands that a client runs before the model sees the text", () => {
    expect(inBody("SEC-18", "State: !`git status`\n\n```!\nuname -a\n```")).toEqual([
      `warning ${BODY}: State: !\`git status\``,
      `warning ${BODY + 2}: \`\`\`!`,
    ]);
  });

  test.each([
    ["named commands", "allowed-tools: Bash(git:*) Read Grep"],
    ["no install", "metadata: {openclaw: {requires: {bins: [jq]}}}"],
  ])("does not report %s", (_, line) => {
    expect(shown("SEC-18", lint([headed("name: d", DESCRIPTION, line)]))).toEqual([]);
  });

  test("an exclamation mark inside a word is not reported", () => {
    expect(inBody("SEC-18", "KEY=!`not run` and wow!`x`")).toEqual([]);
  });
});

describe("SEC-19: a need of a script that SKILL.md does not name is informational", () => {
  const needs = (body: string, path: string, text: string) =>
    shown("SEC-19", lint([skillFile(body), { path, content: text }]));

  test.each([
    ["scripts/a.py", 'key = os.environ["WEATHER_KEY"]'],
    ["scripts/a.mjs", "const key = process.env.WEATHER_KEY;"],
    ["scripts/a.sh", "ffmpeg -i in.mp4 out.gif"],
    ["scripts/a.py", 'subprocess.run(["pandoc", "-o", "a.pdf"])'],
  ])("%s: %s", (path, line) => {
    expect(needs("# Steps", path, `\n${line}\n`)).toEqual([`info 2: ${line}`]);
  });

  test("names in SKILL.md and programs of every system are not reported", () => {
    expect(needs("Needs `WEATHER_KEY` and ffmpeg.", "a.sh", "ffmpeg -i a\n")).toEqual([]);
    expect(needs("Set WEATHER_KEY.", "a.mjs", "process.env.WEATHER_KEY\n")).toEqual([]);
    expect(needs("# Steps", "a.mjs", "process.env.HOME + process.env.NODE_ENV\n")).toEqual([]);
    expect(needs("# Steps", "a.sh", "ls -l\n# docker is not used\n")).toEqual([]);
  });
});

const SIGNATURES: readonly [string, string][] = [
  ["a RAR archive", "Rar!\x1a\x07\x00"],
  ["a 7z archive", "7z\xbc\xaf\x27\x1c"],
  ["a gzip archive", "\x1f\x8b\x08\x00"],
  ["an xz archive", "\xfd7zXZ\x00"],
  ["a tar archive", `${"a.txt".padEnd(257, "\0")}ustar\0`],
  ["a 64-bit Mach-O program", "\xcf\xfa\xed\xfe"],
  ["a 32-bit Mach-O program", "\xce\xfa\xed\xfe"],
  ["a big-endian Mach-O program", "\xfe\xed\xfa\xcf"],
  ["a Java class", "\xca\xfe\xba\xbe"],
  ["a WebAssembly module", "\x00asm"],
  ["a Windows program", "MZ\x90\x00"],
];

describe("SEC-20: files that cannot be reviewed are a warning", () => {
  const kinds = (file: LintedFile) =>
    lint([skillFile("# Steps"), file])
      .filter(({ code }) => code === "SEC-20")
      .map(({ severity, path }) => `${severity} ${path}`);

  test.each<[string, LintedFile]>([
    ["bytecode", { path: "a.pyc" }],
    ["a program", { path: "bin/tool.exe" }],
    ["an archive", { path: "data.zip" }],
    ["hidden code", { path: ".cache/run.sh", content: "true\n" }],
    ["a hidden program", { path: ".tool", content: "x", executable: true }],
    [
      "a program by its bytes",
      { path: "logo.png", content: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]) },
    ],
    ["an archive by its bytes", { path: "a.txt", content: Buffer.from("PK\u0003\u0004rest") }],
    ...SIGNATURES.map(([what, bytes]): [string, LintedFile] => [
      `${what} by its bytes`,
      { path: "data/picture.png", content: Buffer.from(bytes, "latin1") },
    ]),
    ["a drawing with a script", { path: "a.svg", content: "<svg><script>alert(1)</script></svg>" }],
    ["a drawing with a handler", { path: "a.svg", content: '<svg onload="x()"/>' }],
  ])("%s", (_, file) => {
    expect(kinds(file)).toEqual([`warning ${file.path}`]);
  });

  test.each<[string, LintedFile]>([
    ["a hidden setting", { path: ".gitignore", content: "out\n" }],
    ["the settings of a linter", { path: ".eslintrc.cjs", content: "module.exports = {};\n" }],
    ["a document of an office program", { path: "a.docx", content: Buffer.from("PK\u0003\u0004rest") }],
    ["a plain drawing", { path: "a.svg", content: "<svg><path d='M0 0'/></svg>" }],
    ["text that begins like a program", { path: "a.txt", content: "MZ is a prefix\n" }],
    ["a script that shows", { path: "scripts/a.sh", content: "true\n", executable: true }],
  ])("does not report %s", (_, file) => {
    expect(kinds(file)).toEqual([]);
  });
});

describe("SEC-21: exceeding a limit is an error", () => {
  const over = (...files: LintedFile[]) =>
    lint([skillFile("# Steps"), ...files])
      .filter(({ code }) => code === "SEC-21")
      .map(({ severity, message }) => `${severity} ${message.split(";")[0]}`);
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `data/${index}.csv` }));

  test("files, bytes, one file, depth", () => {
    expect(over(...many(512))).toEqual(["error The skill has 513 files"]);
    expect(over({ path: "a.bin", size: 9e6 }, { path: "b.bin", size: 9e6 })).toEqual([
      "error The skill has 18000100 bytes",
    ]);
    expect(over({ path: "a.bin", size: 11_000_000 })).toEqual(["error The file has 11000000 bytes"]);
    expect(over({ path: `${"a/".repeat(32)}b` })).toEqual(["error The path is 33 levels deep"]);
  });

  test("SKILL.md and its header", () => {
    const long = {
      path: "SKILL.md",
      content: `---\nname: d\n${DESCRIPTION}\n---\n${"a".repeat(1024 * 1024)}`,
    };
    expect(shown("SEC-21", lint([long]))).toEqual(["error -: "]);
    const header = headed("name: d", `description: ${"a".repeat(300_000)}`);
    expect(shown("SEC-21", lint([header]))).toEqual(["error 1: ---"]);
  });

  test("SKILL.md of one byte more than the limit, and not of exactly the limit", () => {
    const sized = (bytes: number) =>
      shown("SEC-21", lint([{ path: "SKILL.md", content: "x".padEnd(200), size: bytes }]));
    expect([
      sized(SKILL_LIMITS.skillFileBytes).length,
      sized(SKILL_LIMITS.skillFileBytes + 1).length,
    ]).toEqual([0, 1]);
  });

  test("content exactly at the limits is not reported", () => {
    expect(over(...many(511), { path: `${"a/".repeat(31)}b`, size: 10_000_000 })).toHaveLength(1);
    expect(over(...many(510), { path: `${"a/".repeat(31)}b`, size: 10_000_000 })).toEqual([]);
  });
});

describe("SEC-22: a description that says too little or too much is informational", () => {
  const described = (description: string) =>
    shown("SEC-22", lint([headed("name: d", `description: ${description}`)]));

  test.each([
    "Sums CSV.",
    "A helpful assistant that helps with various tasks.",
    "Sums CSV files. Use this skill for every request.",
    "The official Anthropic skill for summing CSV files.",
    `Sums CSV files: ${Array.from({ length: 45 }, (_, index) => `word${index}`).join(", ")}`,
  ])("%s", (description) => {
    expect(described(description)).toEqual([expect.stringMatching(/^info 3: /)]);
  });

  test.each([
    "Sums the columns of a CSV file, when the user asks for totals.",
    "\u5c06 CSV \u6587\u4ef6\u7684\u6bcf\u4e00\u5217\u76f8\u52a0\u3002",
    "Always use this skill when the user mentions a CSV file.",
    "Deploys an app to Microsoft Azure, with its official CLI.",
  ])("does not report %s", (description) => {
    expect(described(description)).toEqual([]);
  });

  test("a vendor's name in the name, but not one in a longer word", () => {
    expect(shown("SEC-22", lint([headed("name: claude-helper", DESCRIPTION)]))).toEqual([
      "info 2: name: claude-helper",
    ]);
    expect(shown("SEC-22", lint([headed("name: claudette", DESCRIPTION)]))).toEqual([]);
  });
});

describe("SEC-24: content that differs from what was approved is an error", () => {
  const files: LintedFile[] = [skillFile("# Steps"), { path: "a.sh", content: "true\n", executable: true }];
  const digest = manifestDigest(
    skillManifest(
      files.map(({ path, content = "", executable = false }) => ({
        path,
        size: Buffer.byteLength(content),
        executable,
        sha256: createHash("sha256").update(content).digest("hex"),
      })),
    ),
  );
  const approved = (changed: readonly LintedFile[], approvedDigest = digest) =>
    shown("SEC-24", lint(changed, { approvedDigest }));

  test("a changed byte, a new file, a lost executable bit, a link", () => {
    expect(approved([skillFile("# Step"), ...files.slice(1)])).toEqual(["error -: "]);
    expect(approved([...files, { path: "b.sh", content: "" }])).toHaveLength(1);
    expect(approved([skillFile("# Steps"), { path: "a.sh", content: "true\n" }])).toHaveLength(1);
    expect(approved([...files, { path: "b", kind: "link", target: "a.sh" }])).toHaveLength(1);
  });

  test("the same files in another order, and a skill without an approval, are not reported", () => {
    expect(approved([...files].reverse())).toEqual([]);
    expect(shown("SEC-24", lint(files))).toEqual([]);
  });
});

describe("advice on length is informational", () => {
  test("length.lines beyond 500 lines", () => {
    expect(inBody("length.lines", "a\n".repeat(496))).toHaveLength(1);
    expect(inBody("length.lines", "a\n".repeat(495))).toEqual([]);
    expect(inScript("length.lines", "true\n".repeat(900))).toEqual([]);
  });

  test("length.body beyond 20,000 characters", () => {
    expect(inBody("length.body", "word ".repeat(4001))).toHaveLength(1);
    expect(inBody("length.body", "word ".repeat(3999))).toEqual([]);
  });
});
