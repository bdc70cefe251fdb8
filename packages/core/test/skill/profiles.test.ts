import { describe, expect, test } from "vitest";
import { parseSkill, type ValidationProfile, validateSkill } from "../../src/index.js";
import { codes, skillFile } from "./skill-case.js";

const judged = (text: string | Uint8Array, profile?: ValidationProfile, directoryName = "d") =>
  codes(validateSkill(text, { directoryName, ...(profile && { profile }) }), "error");
const header = (rest: string) => skillFile(`name: d\ndescription: text${rest && `\n${rest}`}`);

test("the letter of the standard is the default", () => {
  const text = header("extra: 1");
  expect(judged(text)).toEqual(judged(text, "spec"));
  expect(judged(text)).toEqual(["field.unknown"]);
});

describe("the profile client", () => {
  test.each([
    ["unknown fields", header("extra: 1"), []],
    ["a name unlike the folder's", skillFile("name: Other\ndescription: x"), []],
    ["YAML that had to be repaired", skillFile("name: d\ndescription: a: b"), []],
    ["no description", skillFile("name: d"), ["description.missing"]],
    ["no header", "text", ["frontmatter.missing"]],
    ["a closing line that never comes", "---\nname: d\n", ["frontmatter.unclosed"]],
  ])("%s", (_, text, errors) => {
    expect(judged(text, "client")).toEqual(errors);
    const { skill, diagnostics } = parseSkill(text, { directoryName: "d" });
    expect(skill === undefined).toBe(errors.length > 0);
    expect(validateSkill(text, { directoryName: "d", profile: "client" })).toEqual(diagnostics);
  });

  test("repairs and guesses are warnings", () => {
    const findings = validateSkill(skillFile("description: a: b"), { directoryName: "d", profile: "client" });
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ["yaml.repaired", "warning"],
      ["name.missing", "warning"],
    ]);
  });
});

describe("the profile portable", () => {
  test("accepts a plain skill, and refuses everything that the standard refuses", () => {
    expect(judged(header('metadata:\n  version: "1"\nallowed-tools: Bash(git:*) Read'), "portable")).toEqual(
      [],
    );
    expect(judged(header("extra: 1"), "portable")).toEqual(["field.unknown"]);
    expect(judged(skillFile("name: d\ndescription: a: b"), "portable")).toEqual(["yaml.invalid"]);
    expect(judged("text", "portable")).toEqual(["frontmatter.missing"]);
  });

  test.each([
    ["a name beyond ASCII", skillFile("name: 技能\ndescription: x"), "name.non-ascii", "技能"],
    [
      "a reserved word",
      skillFile("name: claude-helper\ndescription: x"),
      "name.reserved-word",
      "claude-helper",
    ],
    ["a device of Windows", skillFile("name: com1\ndescription: x"), "name.no-file-name", "com1"],
    ["a number as name", skillFile("name: 3000\ndescription: x"), "name.not-yaml-string", "3000"],
    ["a number as description", skillFile("name: d\ndescription: 12"), "description.not-yaml-string"],
    ["angle brackets (SKILL-17)", skillFile("name: d\ndescription: a <b>"), "description.angle-brackets"],
    [
      "1,025 bytes in 513 letters",
      skillFile(`name: d\ndescription: x${"é".repeat(512)}`),
      "description.too-many-bytes",
    ],
    ["a byte order mark", `\ufeff${header("")}`, "encoding.bom"],
    ["commas between tools", header("allowed-tools: Read, Grep"), "allowed-tools.comma-separated"],
    ["a list in brackets", header('metadata: {a: "1"}'), "yaml.flow-style"],
    ["an alias", header("license: &a MIT\ncompatibility: *a"), "yaml.anchor"],
    ["a tag", header("license: !!str MIT"), "yaml.tag"],
    ["dashes in a value", header("license: a --- b"), "yaml.dashes"],
    ["a header of 16,385 characters", header(`license: ${"x".repeat(16_385)}`), "frontmatter.too-long"],
    ["a file above 256,000 bytes", skillFile("name: d\ndescription: x", "y".repeat(256_000)), "file.large"],
    ["no text below the header", "---\nname: d\ndescription: x\n---\n", "body.empty"],
  ])("refuses %s, which the standard allows", (_, text, code, directory = "d") => {
    expect(judged(text, "portable", directory)).toEqual([code]);
    expect(judged(text, "spec", directory)).toEqual([]);
  });

  test("a finding about YAML has its position in the file", () => {
    const findings = validateSkill(header("license: MIT\nmetadata: {a: b}"), {
      directoryName: "d",
      profile: "portable",
    });
    expect(findings).toMatchObject([{ code: "yaml.flow-style", path: "SKILL.md", line: 5, column: 11 }]);
  });
});
