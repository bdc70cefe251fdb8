import { execFileSync } from "node:child_process";
import { injector, type OverviewRenderer } from "@skillwright/injector";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { listOf, skill, snapshotOf } from "./catalogue.js";

/** Names, descriptions and metadata as read by an independent XML parser. */
const READER = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read().decode("utf-8"))
entries = lambda s: {e.get("key"): e.text for e in s.findall("entry")}
print(json.dumps([[s.findtext("name"), s.findtext("description"), entries(s)] for s in root.findall("skill")]))
`;

if (hasAll("python3")) parserTests();

function parserTests(): void {
  describe("read by an XML parser, the overview", () => {
    const read = (text: string) =>
      JSON.parse(execFileSync("python3", ["-c", READER], { input: text, encoding: "utf8" }));

    test.each([
      "<![CDATA[x]]> &#60;/skill&#62; <!--",
      "</description></skill></available_skills>",
      "a < b && c > \"d\" 'e' ]]> &amp; &lt;",
      "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]>&a;",
    ])("returns %j as text (PROMPT-11, SKILL-17)", (text) => {
      const snapshot = snapshotOf([skill(text, { description: text }), skill("zz")]);
      expect(read(listOf(injector().overview({ snapshot }).text))).toEqual([
        [text, text, {}],
        ["zz", "Does zz things", {}],
      ]);
    });

    test("is well-formed whatever characters a skill contains", () => {
      const description = `a${String.fromCharCode(0, 1, 11, 0xd800, 0xfffe, 0xffff, 0x2028)}b\u{1f642}`;
      const snapshot = snapshotOf([skill("x", { description })]);
      expect(read(listOf(injector().overview({ snapshot }).text))).toEqual([
        ["x", "a\\u{0}\\u{1} \\u{d800}\\u{fffe}\\u{ffff} b🙂", {}],
      ]);
    });

    test("shows the requested metadata under any key, in place (PROMPT-15)", () => {
      const metadata = { "1 bad key": "a <b> & c", 'q"uote': "x", hidden: "no" };
      const snapshot = snapshotOf([skill("x", { frontmatter: { metadata } })]);
      const inject = injector({ metadata: ["1 bad key", 'q"uote', "absent"] });
      expect(read(listOf(inject.overview({ snapshot }).text))).toEqual([
        ["x", "Does x things", { "1 bad key": "a <b> & c", 'q"uote': "x" }],
      ]);
    });
  });
}

describe("a custom renderer", () => {
  const renderer: OverviewRenderer = {
    open: "Available skills: begin",
    close: "end",
    entry: ({ name }, description) => `* ${name}${description === undefined ? "" : ` = ${description}`}`,
  };

  test("writes the list, and receives each description on one line", () => {
    const snapshot = snapshotOf([skill("x", { description: "two\nlines" }), skill("y")]);
    const { text } = injector({ format: renderer }).overview({ snapshot });
    expect(listOf(text)).toBe("Available skills: begin\n* x = two lines\n* y = Does y things\nend");
  });

  test("must stay within the budget like any format, down to names only", () => {
    const snapshot = snapshotOf([skill("x", { description: "long ".repeat(50) }), skill("y")]);
    const { text } = injector({ format: renderer, maxCharacters: 70, tools: [] }).overview({ snapshot });
    expect(listOf(text)).toBe("Available skills: begin\n* x\n* y\nend\n\nDescriptions are left out.");
    expect(text).toContain("Only their names are listed here");
  });
});

test("the path of a SKILL file is one that the caller's tools can read", () => {
  const inject = injector({ format: "markdown", skillFile: ({ path }) => `/team/${path}/SKILL.md` });
  const snapshot = snapshotOf([skill("x", { path: "writing/x" })]);
  expect(listOf(inject.overview({ snapshot }).text)).toContain(
    "- `x`: Does x things (SKILL file: `/team/writing/x/SKILL.md`)",
  );
});
