import { describe, expect, test } from "vitest";
import { isSkillName, parseSkill } from "../../src/index.js";
import { type SkillCase, skillFile, testSkillCases } from "./skill-case.js";

const described = (name: string) => `name: ${name}\ndescription: text`;
const composed = "caf\u00e9";
const decomposed = "cafe\u0301";
const sixtyFour = "a".repeat(64);

/** Case 27: names that the standard refuses and clients use anyway. */
const refused: Readonly<Record<string, string>> = {
  MySkill: "name.uppercase",
  my_skill: "name.bad-character",
  "my skill": "name.bad-character",
  "a--b": "name.double-hyphen",
  "-a": "name.edge-hyphen",
  "a-": "name.edge-hyphen",
  "next.js": "name.bad-character",
};

const cases: readonly SkillCase[] = [
  {
    title: "26: 64 letters",
    directory: sixtyFour,
    header: described(sixtyFour),
    strict: [],
    loads: { name: sixtyFour },
  },
  {
    title: "26: 65 letters load with a warning",
    directory: `${sixtyFour}a`,
    header: described(`${sixtyFour}a`),
    strict: ["name.too-long"],
    warnings: ["name.too-long"],
    loads: { name: `${sixtyFour}a` },
  },
  ...Object.entries(refused).map(
    ([name, code]): SkillCase => ({
      title: `27: "${name}" loads with ${code}`,
      directory: name,
      header: described(`"${name}"`),
      strict: [code],
      warnings: [code],
      loads: { name },
    }),
  ),
  {
    title: "28: composed and decomposed letters are one name",
    directory: composed,
    header: described(decomposed),
    strict: [],
    info: ["name.non-ascii"],
    loads: { description: "text" },
  },
  {
    title: "29: letters of any script",
    directory: "技能",
    header: described("技能"),
    strict: [],
    info: ["name.non-ascii"],
    loads: { name: "技能" },
  },
  {
    title: "30: the name wins over the folder",
    directory: "wrong",
    header: described("correct"),
    strict: ["name.directory-mismatch"],
    warnings: ["name.directory-mismatch"],
    loads: { name: "correct" },
  },
  {
    title: "31: no name",
    header: "description: text",
    strict: ["name.missing"],
    warnings: ["name.missing"],
    loads: { name: "d" },
  },
  { title: "31: an empty name", header: described(""), strict: ["name.empty"], loads: { name: "d" } },
  {
    title: "31: a list as name",
    header: described("[a]"),
    strict: ["name.not-string"],
    loads: { name: "d" },
  },
  { title: "32: 3000", directory: "3000", header: described("3000"), strict: [], loads: { name: "3000" } },
  { title: "32: true", directory: "true", header: described("true"), strict: [], loads: { name: "true" } },
  {
    title: "0123 keeps its zero",
    directory: "0123",
    header: described("0123"),
    strict: [],
    loads: { name: "0123" },
  },
  {
    title: "33: a name that climbs out is a label, never a path",
    header: described("../../etc/passwd"),
    strict: ["name.bad-character", "name.directory-mismatch"],
    loads: { name: "../../etc/passwd" },
  },
  {
    title: "YAML-08: an invisible character in the name is refused",
    directory: "pdf",
    header: described('"pdf\\u200b"'),
    strict: ["name.bad-character", "name.directory-mismatch"],
    info: ["name.non-ascii"],
    loads: { name: "pdf\u200b" },
  },
];

describe("names", () => testSkillCases(cases));

test("isSkillName accepts what the standard accepts", () => {
  for (const name of ["a", "pdf-to-text", "2fa", "技能", sixtyFour])
    expect(isSkillName(name), name).toBe(true);
  for (const name of ["", " ", "..", "a/b", "a b", `${sixtyFour}a`, ...Object.keys(refused)])
    expect(isSkillName(name), name).toBe(false);
});

test("control characters never reach a name or description", () => {
  const text = skillFile('name: "a\\eb"\ndescription: "x\\ay\\x9bz"');
  const read = parseSkill(text, { directoryName: "ab" });
  expect(read.skill).toMatchObject({ name: "ab", description: "xyz" });
  expect(read.diagnostics.filter(({ code }) => code === "text.control-characters")).toHaveLength(2);
});
