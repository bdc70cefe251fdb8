import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/full-form.js";
import { editSkill, parseSkill, type SkillText, serializeSkill, validateSkill } from "../../src/index.js";
import { skillFile } from "./skill-case.js";

const full: SkillText = {
  name: "csv-analyst",
  description: 'Reads "CSV": sums, # and more. Use when: asked.',
  license: "MIT",
  compatibility: "Needs Node 20",
  metadata: { version: "1.0", author: "me" },
  allowedTools: ["Bash(git commit -m *)", "Read"],
  body: "# Steps\n\n1. Read.",
};

describe("writing SKILL.md", () => {
  test("six fields, block style, LF, in the standard's order", () => {
    expect(serializeSkill(full)).toBe(
      [
        "---",
        "name: csv-analyst",
        'description: "Reads \\"CSV\\": sums, # and more. Use when: asked."',
        "license: MIT",
        "compatibility: Needs Node 20",
        "metadata:",
        '  author: "me"',
        '  version: "1.0"',
        "allowed-tools: Bash(git commit -m *) Read",
        "---",
        "",
        "# Steps",
        "",
        "1. Read.",
        "",
      ].join("\n"),
    );
  });

  test("the order of the given metadata does not matter", () => {
    expect(serializeSkill({ ...full, metadata: { author: "me", version: "1.0" } })).toBe(
      serializeSkill(full),
    );
  });

  test("the result is valid in every profile", () => {
    for (const profile of ["spec", "client", "portable"] as const)
      expect(validateSkill(serializeSkill(full), { directoryName: "csv-analyst", profile })).toEqual([]);
  });

  test.each<[what: string, changed: Partial<SkillText>, field: string]>([
    ["an empty name", { name: "" }, "name"],
    ["an empty description", { description: " " }, "description"],
    ["a description on two lines", { description: "a\nb" }, "description"],
    ["a control character", { license: "a", description: "a\u0007b" }, "description"],
    ["white space around a licence", { license: " MIT" }, "license"],
    ["a tool with a space", { allowedTools: ["git commit"] }, "allowedTools"],
    ["a header that is too large", { compatibility: "x".repeat(110_000) }, "description"],
  ])("%s is refused by name", (_, changed, field) => {
    expect(() => serializeSkill({ ...full, ...changed })).toThrow(
      expect.objectContaining({ code: "INPUT_INVALID", details: { field } }),
    );
  });

  test("the result is parsed back to the same values", () => {
    const word = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    const skill = fc.record(
      {
        name: text,
        description: text,
        license: text,
        compatibility: text,
        metadata: fc.dictionary(word, fc.string({ unit: "binary" }), { maxKeys: 4 }),
        allowedTools: fc.array(fc.stringMatching(/^[A-Za-z]{1,8}(\([^()\p{Cc}]{0,8}\))?$/u), {
          maxLength: 3,
        }),
        body: fc.string({ unit: "binary", maxLength: 200 }),
      },
      { requiredKeys: ["name", "description", "body"] },
    );
    let written = 0;
    const property = fc.property(skill, (wanted) => {
      const file = serialized(wanted);
      if (file === undefined) return;
      written++;
      const { skill: read } = parseSkill(file, { directoryName: "d" });
      const { fields } = read ?? {};
      expect({ ...wanted, body: wanted.body.replace(/\r\n?/g, "\n").trim() }).toEqual({
        ...wanted,
        body: read?.body,
        name: read?.name,
        description: read?.description,
        ...(wanted.license && { license: fields?.license }),
        ...(wanted.compatibility && { compatibility: fields?.compatibility }),
        ...(wanted.metadata && { metadata: fields?.metadata }),
        ...(wanted.allowedTools && { allowedTools: fields?.allowedTools }),
      });
      expect(serializeSkill(wanted)).toBe(file);
      expect(file).not.toContain("\r");
    });
    fc.assert(property, runs(400));
    expect(written).toBeGreaterThan(runs(50).numRuns);

    function serialized(wanted: Partial<SkillText>): string | undefined {
      try {
        return serializeSkill(wanted as SkillText);
      } catch (error) {
        expect(error).toMatchObject({ code: "INPUT_INVALID" });
        return undefined;
      }
    }
  });
});

describe("editing SKILL.md", () => {
  const options = { directoryName: "d" };

  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("a new description keeps header and body with %s byte for byte", (_, end) => {
    const body = Buffer.concat([
      Buffer.from(`${end}  text \t${end}${end}---${end}`),
      Buffer.from([0xff, 0xfe]),
    ]);
    const file = (description: string) =>
      Buffer.concat([
        Buffer.from(`---${end}name: d${end}description: ${description} # why${end}---  ${end}`),
        body,
      ]);
    const { content } = editSkill(file("x"), { description: "New: text" }, options);
    expect(Buffer.from(content).toString("latin1")).toBe(file('"New: text"').toString("latin1"));
  });

  const RICH = `---
# made by hand
name: d   # as the folder
description: >-
  Old
  text.
license: [MIT]
compatibility:
  - Node 20
  # or
  - Deno
version: 1.10
build: 12345678901234567890
triggers:
- type: keyword
  keywords: [a, 'b']
openclaw: {requires: {bins: [jq]}}
metadata: {"openclaw": {"requires": {"bins": ["jq"]}}}   # one line
1.0: one
---
Body.
`;

  test("a new description keeps comments, lists, maps, numbers and fields beyond the standard", () => {
    const { content } = editSkill(RICH, { description: "New." }, options);
    expect(Buffer.from(content).toString()).toBe(RICH.replace(">-\n  Old\n  text.", '"New."'));
  });

  test("a new field is inserted after the one before it in the standard's order, and one without a value is removed", () => {
    const { content } = editSkill(
      RICH,
      { allowedTools: ["Read", "Bash(git:*)"], license: undefined },
      options,
    );
    expect(Buffer.from(content).toString()).toBe(
      RICH.replace("license: [MIT]\n", "").replace(
        "# one line\n",
        "# one line\nallowed-tools: Read Bash(git:*)\n",
      ),
    );
  });

  test("a field in another spelling keeps it", () => {
    const before = skillFile("name: d\ndescription: x\nallowed_tools: [Read]");
    const { content } = editSkill(before, { allowedTools: ["Write"] }, options);
    expect(Buffer.from(content).toString()).toBe(before.replace("[Read]", "Write"));
  });

  test("metadata is replaced as a whole, in place", () => {
    const before = skillFile("name: d\nmetadata:\n  a: 1\n  b: 2\n\n# end\ndescription: x");
    const { content } = editSkill(before, { metadata: { c: "3" } }, options);
    expect(Buffer.from(content).toString()).toBe(before.replace("  a: 1\n  b: 2", '  c: "3"'));
  });

  test("a new description repairs a header that did not parse because of its colon", () => {
    const before = skillFile("name: d\ndescription: Use when: asked\nversion: 1.10");
    const { content } = editSkill(before, { description: "Use when: told" }, options);
    expect(Buffer.from(content).toString()).toBe(before.replace("Use when: asked", '"Use when: told"'));
  });

  test.each([
    ["a comment inside the old value", "name: d\ndescription: | # why\n  x", "contains a comment"],
    ["a header in braces", "{name: d, description: x}", "does not begin a line"],
    [
      "an anchor that is used elsewhere",
      "name: d\ndescription: &a x\nother: *a",
      "YAML features that editing cannot preserve",
    ],
  ])("%s is an error, not a loss", (_, header, message) => {
    expect(() => editSkill(skillFile(header), { description: "y" }, options)).toThrow(
      expect.objectContaining({ code: "INPUT_INVALID", message: expect.stringContaining(message) }),
    );
  });

  test("a header that is not UTF-8 is an error, not a loss", () => {
    const before = Buffer.from(skillFile("name: d\ndescription: x\nauthor: Ren\u00e9"), "latin1");
    expect(() => editSkill(before, { description: "y" }, options)).toThrow(/is not UTF-8/);
  });

  test("unchanged fields are preserved", () => {
    const { content } = editSkill(serializeSkill(full), { license: "ISC", allowedTools: [] }, options);
    const { skill } = parseSkill(content, options);
    expect(skill).toMatchObject({ name: full.name, description: full.description, body: full.body });
    expect(skill?.fields).toMatchObject({ license: "ISC", metadata: full.metadata, allowedTools: [] });
  });

  test.each([
    [
      "---\r\nname: d\r\ndescription: x   # kept\r\nodd: 1\r\n---\r\nOld.\r\n",
      "---\r\nname: d\r\ndescription: x   # kept\r\nodd: 1\r\n---\r\n",
    ],
    ["---\nname: d\ndescription: x\n---", "---\nname: d\ndescription: x\n---\n"],
  ])("where only the body changes the header stays byte for byte: %j", (before, header) => {
    const { content } = editSkill(before, { body: "  New\r\ntext. \n" }, options);
    expect(Buffer.from(content).toString()).toBe(`${header}\nNew\ntext.\n`);
  });

  test("body and description change together", () => {
    const { content } = editSkill(serializeSkill(full), { body: "New.", description: "Other." }, options);
    const { skill } = parseSkill(content, options);
    expect(skill).toMatchObject({ name: full.name, description: "Other.", body: "New." });
  });

  test("a file that cannot be loaded is refused", () => {
    expect(() => editSkill("text", { name: "d" }, options)).toThrow(
      expect.objectContaining({ code: "SKILL_INVALID", message: expect.stringContaining("frontmatter") }),
    );
  });
});
