import { describe, expect, test } from "vitest";
import { parseSkill } from "../../src/index.js";
import { codes, skillFile } from "./skill-case.js";

const read = (header: string) => parseSkill(skillFile(header), { directoryName: "d" });

describe("values of the header", () => {
  test("SKILL-11: an unquoted # after a space begins a comment, as YAML has it; in quotes it is kept", () => {
    expect(read("name: issue #123 helper\ndescription: D").skill?.name).toBe("issue");
    expect(read('name: "issue #123 helper"\ndescription: D').skill?.name).toBe("issue #123 helper");
    expect(read("name: issue#123\ndescription: D").skill?.name).toBe("issue#123");
  });

  test("SKILL-11: a name cut by a comment is not the folder's, and that is reported", () => {
    expect(codes(read("name: issue #123 helper\ndescription: D").diagnostics)).toContain(
      "name.directory-mismatch",
    );
  });

  test("SKILL-12: a field without a value is null, as in YAML, and counts as missing", () => {
    const { skill } = read("name: d\ndescription: D\nempty:\nlicense:");
    expect(skill?.frontmatter).toMatchObject({ empty: null, license: null });
    expect(skill?.fields).not.toHaveProperty("license");
  });

  test("SKILL-12: a name or description without a value is empty, and that is reported", () => {
    expect(read("name:\ndescription: D")).toMatchObject({ skill: { name: "d" } });
    expect(codes(read("name:\ndescription: D").diagnostics)).toEqual(["name.empty"]);
    expect(codes(read("name: d\ndescription:").diagnostics, "error")).toEqual(["description.empty"]);
  });

  test("SKILL-13: a block of two lines before the name: both are read", () => {
    const { skill, diagnostics } = read("description: |-\n  one\n  two\nname: d");
    expect(skill).toMatchObject({
      name: "d",
      description: "one two",
      frontmatter: { description: "one\ntwo" },
    });
    expect(diagnostics).toEqual([]);
  });

  test.each(["|-oops\n  x", "|-\n\tx\n  y", "|9\n x"])(
    "SKILL-14: a malformed block (%j) leaves the other fields unchanged, and is reported",
    (block) => {
      const { skill, diagnostics } = read(`name: d\ndescription: D\nbroken: ${block}\nlicense: MIT`);
      expect(skill).toMatchObject({ name: "d", description: "D", fields: { license: "MIT" } });
      expect(codes(diagnostics, "warning")).toEqual(["yaml.repaired"]);
    },
  );
});
