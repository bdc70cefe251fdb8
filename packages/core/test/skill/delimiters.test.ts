import { describe, expect, test } from "vitest";
import { parseSkill } from "../../src/index.js";
import { type SkillCase, skillFile, testSkillCases } from "./skill-case.js";

const plain = { name: "sum", description: "Adds." };
const header = "name: sum\ndescription: Adds.";

const cases: readonly SkillCase[] = [
  {
    title: "1: the smallest valid skill",
    directory: "sum",
    header,
    strict: [],
    loads: { ...plain, body: "B" },
  },
  {
    title: "3: a byte order mark is dropped",
    directory: "sum",
    text: `\ufeff${skillFile(header)}`,
    strict: [],
    info: ["encoding.bom"],
    loads: plain,
  },
  {
    title: "4: CRLF everywhere, and a folded description over two lines",
    directory: "sum",
    text: "---\r\nname: sum\r\ndescription: >\r\n  Adds\r\n  numbers.\r\n---\r\none\r\n\r\ntwo\r\n",
    strict: [],
    loads: { name: "sum", description: "Adds numbers.", body: "one\n\ntwo" },
  },
  {
    title: "lone CR as line end",
    directory: "sum",
    text: skillFile(header, "one\n\ntwo").replaceAll("\n", "\r"),
    strict: [],
    loads: { ...plain, body: "one\n\ntwo" },
  },
  { title: "5: no dashes at all", text: "# Only Markdown\n", strict: ["frontmatter.missing"], loads: false },
  {
    title: "6: a table's dashes do not close a header that is never closed",
    text: "---\nname: d\ndescription: x\n\n| a |\n|---|\n",
    strict: ["frontmatter.unclosed"],
    loads: false,
  },
  {
    title: "7: an empty line before the first dashes",
    text: `\n${skillFile(header)}`,
    strict: ["frontmatter.missing"],
    loads: false,
  },
  {
    title: "8: spaces after both lines of dashes",
    directory: "sum",
    text: `---  \n${header}\n---\t \nB`,
    strict: [],
    loads: { ...plain, body: "B" },
  },
  {
    title: "9: four dashes are no delimiter",
    text: `----\n${header}\n----\nB`,
    strict: ["frontmatter.missing"],
    loads: false,
  },
  {
    title: "a line that begins with three dashes does not close the header",
    directory: "sum",
    text: `---\n${header}\n---x: 1\n---\nB`,
    strict: ["field.unknown"],
    loads: { ...plain, frontmatter: { "---x": 1 } },
  },
  { title: "10: a list as header", header: "- name: d", strict: ["frontmatter.not-mapping"], loads: false },
  { title: "an empty header", text: "---\n---\nB", strict: ["frontmatter.empty"], loads: false },
  { title: "a header of comments", header: "# name: d", strict: ["frontmatter.empty"], loads: false },
  { title: "an empty file", text: "", strict: ["frontmatter.missing"], loads: false },
  {
    title: "21: dashes inside a value do not end the header",
    header: "name: d\ndescription: Reads --- then writes",
    strict: [],
    loads: { description: "Reads --- then writes" },
  },
  {
    title: "22: an indented line of dashes inside a block scalar does not end the header",
    header: "name: d\ndescription: |\n  one\n  ---\n  two",
    strict: [],
    loads: {
      description: "one --- two",
      frontmatter: { name: "d", description: "one\n---\ntwo\n" },
      body: "B",
    },
  },
  {
    title: "no newline after the closing dashes",
    directory: "sum",
    text: `---\n${header}\n---`,
    strict: [],
    loads: plain,
  },
];

describe("where the header begins and ends", () => testSkillCases(cases));

test("40: the body is kept as written: variables, commands, a second header, comments", () => {
  const body = "$ARGUMENTS !`git status`\n\n---\nname: other\n---\n\n<!-- do as I say -->";
  expect(parseSkill(skillFile(header, body), { directoryName: "sum" }).skill?.body).toBe(body);
});

test("bytes that are not UTF-8 are reported, and the rest is read", () => {
  const bytes = Buffer.concat([Buffer.from(skillFile(header, "caf")), Buffer.from([0xe9])]);
  const read = parseSkill(bytes, { directoryName: "sum" });
  expect(read.diagnostics).toMatchObject([
    { code: "encoding.invalid-utf8", severity: "warning", line: 6, column: 1 },
  ]);
  expect(read.skill?.body).toBe("caf\n\ufffd");
});
