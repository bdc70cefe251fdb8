import { describe, expect, test } from "vitest";
import { parseSkill, validateSkill } from "../../src/index.js";
import { type SkillCase, skillFile, testSkillCases } from "./skill-case.js";

const broken = { strict: ["yaml.invalid"], warnings: ["yaml.repaired"] };
const cases: readonly SkillCase[] = [
  {
    title: "11: an unquoted colon",
    header: "name: d\ndescription: Use when: a user asks",
    ...broken,
    loads: { name: "d", description: "Use when: a user asks" },
  },
  {
    title: "12: an unquoted colon on a continuation line",
    header: "name: d\ndescription: one\n  two: three\n  four",
    ...broken,
    loads: { description: "one two: three four" },
  },
  {
    title: "13: a mention at the start",
    header: "name: d\ndescription: @mention first",
    ...broken,
    loads: { description: "@mention first" },
  },
  {
    title: "14: what follows a hash is a comment",
    header: "name: d\ndescription: Writes C # sharp",
    strict: [],
    loads: { description: "Writes C" },
  },
  {
    title: "15: a quoted word and more",
    header: 'name: d\ndescription: "A" and more',
    ...broken,
    loads: { description: '"A" and more' },
  },
  {
    title: "16: metadata indented by a tab is left out, the rest loads",
    header: "name: d\ndescription: text\nmetadata:\n\tauthor: x",
    strict: ["yaml.invalid"],
    warnings: ["yaml.entry-dropped"],
    loads: { name: "d", description: "text", frontmatter: { name: "d", description: "text" } },
  },
  {
    title: "17: a tab after the colon is YAML",
    header: "name:\td\ndescription:\ttext",
    strict: [],
    loads: { name: "d", description: "text" },
  },
  {
    title: "18: the description twice: the last one counts",
    header: "name: d\ndescription: one\ndescription: two",
    strict: ["yaml.duplicate-key"],
    warnings: ["yaml.duplicate-key"],
    loads: { description: "two" },
  },
  {
    title: "one broken entry leaves the others typed",
    header: "name: d\ndescription: a: b\nmetadata:\n  n: [1, two]\nuser-invocable: true",
    ...broken,
    loads: {
      frontmatter: { name: "d", description: "a: b", metadata: { n: [1, "two"] }, "user-invocable": true },
    },
  },
  {
    title: "a list that is never closed stays as text",
    header: "name: d\ndescription: [a, b",
    ...broken,
    loads: { description: "[a, b" },
  },
  {
    title: "nothing that looks like an entry",
    header: "{ name: d",
    strict: ["yaml.invalid"],
    loads: false,
  },
];

describe("invalid YAML is read entry by entry", () => testSkillCases(cases));

test("a repair names the field and its line, a strict error also the column", () => {
  const text = skillFile("name: d\ndescription: Use when: a user asks");
  const [repair] = parseSkill(text, { directoryName: "d" }).diagnostics;
  expect(repair).toMatchObject({ code: "yaml.repaired", path: "SKILL.md", line: 3, column: 1 });
  expect(repair?.message).toContain('"description"');
  const [error] = validateSkill(text, { directoryName: "d" });
  expect(error).toMatchObject({ code: "yaml.invalid", line: 3, column: 22 });
  expect(error?.hint).toContain("quotes");
});

test("a missing field is reported at the start of the file", () => {
  expect(validateSkill("---\nlicense: MIT\n---\n", { directoryName: "d" })).toMatchObject([
    { code: "name.missing", line: 1, column: 1 },
    { code: "description.missing", line: 1, column: 1 },
  ]);
});

test("findings about fields have the position of their keys", () => {
  const text = skillFile("license: MIT\nname: Wrong\n# a comment\nextra: 1\ndescription: x");
  expect(validateSkill(text, { directoryName: "wrong" })).toMatchObject([
    { code: "name.uppercase", line: 3, column: 1 },
    { code: "name.directory-mismatch", line: 3, column: 1 },
    { code: "field.unknown", line: 5, column: 1 },
  ]);
});
