import { describe, expect, it } from "vitest";
import { requirementProblems } from "./readers/requirement-problems.js";
import { sourceFiles } from "./readers/source-files.js";

describe("docs/requirements.md", () => {
  const texts = sourceFiles(".", /\.(md|ts|mts|mjs|js|sh|c|h|py)$|\/run$/).filter(
    ({ path }) => !/^(skills|data)\/|\.bundle\.mjs$/.test(path),
  );
  const [document] = texts.filter(({ path }) => path === "docs/requirements.md");
  const tests = texts.filter(
    ({ path }) => /(^|\/)(test|testing)\/.*\.ts$/.test(path) && !path.startsWith("test/repository/"),
  );

  it("has a test for every requirement, and the repository has no other ids", () => {
    expect(tests.length).toBeGreaterThan(100);
    expect(requirementProblems({ document: document?.text ?? "", tests, texts })).toEqual([]);
  });
});

describe("the comparison of requirements and tests", () => {
  /** Assembled here, so that this file passes its own test. */
  const id = (group: string, number: string) => `${group}-${number}`;
  const [one, two, three] = [id("XRUN", "01"), id("XRUN", "02"), id("XOUT", "01")];
  const document = `- ${one}: First.\n- ${two}: Second.\n- ${three}: Third.\n`;
  const tests = `test("${one}, ${two}: both hold", () => {});\n  ["a row (${three})", 1],\n`;
  const problems = (given: { document?: string; tests?: string; text?: string } = {}) =>
    requirementProblems({
      document: given.document ?? document,
      tests: [{ path: "a.test.ts", text: given.tests ?? tests }],
      texts: [
        { path: "a.test.ts", text: given.tests ?? tests },
        { path: "b.md", text: given.text ?? "" },
      ],
    });

  it("reports nothing if a title names each requirement", () => {
    expect(problems()).toEqual([]);
    expect(
      problems({ tests: `${tests}["${one}", "cwd"]; "${two}: again"; 'promise (${one}, ${two}).'` }),
    ).toEqual([]);
  });

  it("reports a requirement that no title names", () => {
    expect(problems({ tests: `test("${one}: holds")` })).toEqual([
      `${two} has no test that names it`,
      `${three} has no test that names it`,
    ]);
  });

  it("does not count an id in a comment or in a test's data as a title", () => {
    const mentioned = tests.replace(three, one);
    for (const more of [
      `// "${three}: no test"`,
      ` * "${three}: no test"`,
      `expect(out).toContain("${three}")`,
    ])
      expect(problems({ tests: `${mentioned}\n${more}\n` })).toEqual([`${three} has no test that names it`]);
  });

  it("reports an unlisted id of a known group anywhere", () => {
    const unknown = id("XRUN", "99");
    expect(problems({ tests: `${tests}test("${unknown}: new")` })).toEqual([
      `a.test.ts names ${unknown}, which is not in docs/requirements.md`,
    ]);
    expect(problems({ text: `See ${unknown}.` })).toEqual([
      `b.md names ${unknown}, which is not in docs/requirements.md`,
    ]);
    expect(problems({ text: `${id("SHA", "256")} and ${id("ISO", "88")}` })).toEqual([]);
  });

  it("reports a duplicate id", () => {
    expect(problems({ document: `${document}- ${one}: Again.\n` })).toEqual([`${one} is given twice`]);
  });

  it.each([id("TR", "97"), id("OC", "29"), id("SPEC", "01"), ["seed", "002"].join(" ")])(
    "reports %s, an id from outside the repository",
    (foreign) => {
      expect(problems({ text: `As ${foreign} has it.` })).toEqual([
        `b.md names ${foreign}, an id of another document`,
      ]);
    },
  );
});
