import { describe, expect, test } from "vitest";
import { parseSkill, type SkillFields, skillFields } from "../../src/index.js";
import { skillFile } from "./skill-case.js";

const none: SkillFields = {
  metadata: {},
  allowedTools: [],
  toolHints: [],
  disableModelInvocation: false,
  userInvocable: true,
  parameters: {},
  returns: {},
  triggers: [],
};
const noNeeds = {
  bins: [],
  anyBins: [],
  anyEnv: [],
  env: [],
  config: [],
  os: [],
  always: false,
  envVars: [],
  install: [],
};

function read(header: string) {
  return parseSkill(skillFile(`name: d\ndescription: text\n${header}`), { directoryName: "d" });
}

const cases: readonly [title: string, header: string, fields: Partial<SkillFields>][] = [
  ["nothing but name and description", "", {}],
  [
    "36: tools as the standard has them",
    "allowed-tools: Bash(git:*) Read",
    { allowedTools: ["Bash(git:*)", "Read"] },
  ],
  [
    "fields that an earlier version moved into the metadata, those that are JSON unpacked",
    'metadata:\n  frontmatter.allowed_tools: Read Grep\n  frontmatter.user-invocable: "false"',
    {
      allowedTools: ["Read", "Grep"],
      userInvocable: false,
      metadata: { "frontmatter.allowed_tools": "Read Grep", "frontmatter.user-invocable": "false" },
    },
  ],
  [
    "36: tools with commas, those in parentheses kept",
    'allowed-tools: Read, Bash(git commit -m "a, b")',
    { allowedTools: ["Read", 'Bash(git commit -m "a, b")'] },
  ],
  ["36: tools as a list", "allowed-tools: [Read, Grep]", { allowedTools: ["Read", "Grep"] }],
  ["a parenthesis that is never closed", "allowed-tools: Bash(a b", { allowedTools: ["Bash(a b"] }],
  ["tools in snake case", "allowed_tools: Read", { allowedTools: ["Read"] }],
  [
    "numbers as they are written",
    "license: 2.0\ncompatibility: 3.10",
    { license: "2.0", compatibility: "3.10" },
  ],
  [
    "metadata as texts, as written, JSON where it is nested",
    "metadata:\n  version: 1.0\n  on: yes\n  none:\n  list: [1, a]",
    { metadata: { version: "1.0", on: "yes", none: "", list: '[1,"a"]' } },
  ],
  [
    "toolHints in one text",
    "toolHints: read_file, list_dir Bash(git log:*)",
    { toolHints: ["read_file", "list_dir", "Bash(git log:*)"] },
  ],
  [
    "toolHints of the fourth seed",
    'toolHints: ["read_file", "list_dir"]',
    { toolHints: ["read_file", "list_dir"] },
  ],
  [
    "who may start it, in several spellings",
    "disable-model-invocation: yes\nuser_invocable: 0",
    { disableModelInvocation: true, userInvocable: false },
  ],
  ["camel case", "disableModelInvocation: On", { disableModelInvocation: true }],
  [
    "an executable skill of the second seed",
    "executable:\n  runtime: python\n  entry: scripts/run.py\n  timeout: 30",
    { kind: "executable", executable: { runtime: "python", entry: "scripts/run.py", timeoutMs: 30_000 } },
  ],
  [
    "a kind of its own",
    "kind: knowledge\nexecutable: {entry: a}",
    { kind: "knowledge", executable: { entry: "a" } },
  ],
  [
    "parameters and returns",
    "parameters:\n  query: {type: string, description: What, required: true, enum: [a, b]}\n  plain: Just text\nreturns:\n  total: {type: number}",
    {
      parameters: {
        query: { type: "string", description: "What", required: true, enum: ["a", "b"] },
        plain: { description: "Just text", required: false, enum: [] },
      },
      returns: { total: { type: "number" } },
    },
  ],
  [
    "triggers as maps and as texts",
    "triggers:\n  - {type: file_pattern, pattern: '*.md'}\n  - {keywords: [a, b], condition: c}\n  - zoom oauth",
    {
      triggers: [
        { type: "file_pattern", keywords: [], pattern: "*.md" },
        { type: "keyword", keywords: ["a", "b"], condition: "c" },
        { type: "keyword", keywords: ["zoom oauth"] },
      ],
    },
  ],
];

describe("the optional fields, typed", () => {
  test.each(cases)("%s", (_, header, fields) => {
    const { skill, diagnostics } = read(header);
    expect(skill?.fields).toEqual({ ...none, ...fields });
    expect(diagnostics).toEqual([]);
  });
});

describe("the OpenClaw block", () => {
  test.each(["openclaw", "clawdbot", "moltbot", "clawdis"])("metadata.%s", (key) => {
    const { skill } = read(`metadata: {"${key}": {"requires": {"bins": ["jq"],}, "emoji": "🦞"}}`);
    expect(skill?.fields.openclaw).toEqual({ ...noNeeds, key, bins: ["jq"], emoji: "🦞" });
  });

  test("every field", () => {
    const block = {
      requires: {
        bins: ["jq"],
        anyBins: ["a", "b"],
        env: ["KEY"],
        anyEnv: ["X", "Y"],
        config: ["browser.enabled"],
      },
      os: ["macos", "linux", "windows", "constructor"],
      always: "yes",
      primaryEnv: "KEY",
      envVars: ["ONE", { name: "TWO", required: false, description: "Second" }],
      install: [{ kind: "brew", formula: "jq" }],
      skillKey: "json",
      emoji: "🦞",
      homepage: "https://example.com",
    };
    const expected = {
      key: "openclaw",
      ...block.requires,
      os: ["darwin", "linux", "win32", "constructor"],
      always: true,
      primaryEnv: "KEY",
      envVars: [
        { name: "ONE", required: true },
        { name: "TWO", required: false, description: "Second" },
      ],
      install: block.install,
      skillKey: "json",
      emoji: "🦞",
      homepage: "https://example.com",
    };
    const json = JSON.stringify({ openclaw: block });
    expect(read(`metadata: ${json}`).skill?.fields.openclaw).toEqual(expected);
    expect(read(`metadata:\n  openclaw: '${JSON.stringify(block)}'`).skill?.fields.openclaw).toEqual(
      expected,
    );
  });

  test("the newest name wins", () => {
    const { skill } = read("metadata:\n  clawdbot: {emoji: a}\n  openclaw: {emoji: b}");
    expect(skill?.fields.openclaw).toMatchObject({ key: "openclaw", emoji: "b" });
  });
});

test.each([
  ["disable-model-invocation: maybe", "`disable-model-invocation` is not true or false", 4],
  ["toolHints: [a, {b: c}]", "`toolHints[1]` is not text", 4],
  ["license: MIT\nexecutable: {runtime: node}", "`executable.entry` is not a path", 5],
  ["executable: {entry: a, timeout: soon}", "`executable.timeout` is not a number of seconds", 4],
  ["parameters: [a]", "`parameters` is not a map", 4],
  ["metadata: {openclaw: {requires: [jq]}}", "`metadata.openclaw.requires` is not a map", 4],
  ["metadata: {openclaw: 5}", "`metadata.openclaw` is not a map", 4],
  ["metadata: text", "`metadata` is not a map", 4],
  ["triggers: [{keywords: {a: b}}]", "`triggers[0].keywords` is not text", 4],
])("fields of %j that are left out are reported with their position", (header, message, line) => {
  expect(read(header).diagnostics).toMatchObject([
    { code: "field.ignored", severity: "warning", path: "SKILL.md", line, column: 1 },
  ]);
  expect(read(header).diagnostics[0]?.message).toContain(message);
});

test("skillFields returns the same from a summary's frontmatter, with numbers as JSON prints them", () => {
  const { skill } = read("kind: a\nmetadata:\n  version: 1.0\nallowed-tools: a, b");
  expect(skillFields(skill?.frontmatter ?? {})).toEqual({ ...skill?.fields, metadata: { version: "1" } });
});

test("keys of the prototype are ordinary fields", () => {
  const { skill } = read(
    "parameters: {__proto__: {type: a}, constructor: {type: b}}\nmetadata: {__proto__: {c: d}}",
  );
  expect(Object.keys(skill?.fields.parameters ?? {})).toEqual(["__proto__", "constructor"]);
  expect(Object.entries(skill?.fields.metadata ?? {})).toEqual([["__proto__", '{"c":"d"}']]);
  expect(Reflect.get({}, "type")).toBeUndefined();
});
