import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

  test("the order in which metadata was given does not matter", () => {
    expect(serializeSkill({ ...full, metadata: { author: "me", version: "1.0" } })).toBe(
      serializeSkill(full),
    );
  });

  test("what it writes is valid in every profile", () => {
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

  test("what was written is read back", () => {
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
    fc.assert(property, { numRuns: 400 });
    expect(written).toBeGreaterThan(50);

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
  ])("a new description leaves a body with %s byte for byte", (_, end) => {
    const body = Buffer.concat([
      Buffer.from(`${end}  text \t${end}${end}---${end}`),
      Buffer.from([0xff, 0xfe]),
    ]);
    const before = Buffer.concat([
      Buffer.from(`---${end}name: d${end}description: x${end}---  ${end}`),
      body,
    ]);
    const { content, diagnostics } = editSkill(before, { description: "New: text" }, options);
    expect(Buffer.from(content).toString("latin1")).toBe(
      `---\nname: d\ndescription: "New: text"\n---\n${body.toString("latin1")}`,
    );
    expect(diagnostics).toEqual([]);
  });

  test("fields that are not changed stay", () => {
    const { content } = editSkill(serializeSkill(full), { license: "ISC", allowedTools: [] }, options);
    const { skill } = parseSkill(content, options);
    expect(skill).toMatchObject({ name: full.name, description: full.description, body: full.body });
    expect(skill?.fields).toMatchObject({ license: "ISC", metadata: full.metadata, allowedTools: [] });
  });

  test("fields beyond the standard move into metadata, are told, and still mean the same", () => {
    const before = skillFile(
      'name: d\ndescription: x\nuser-invocable: false\ntoolHints: [a, b]\nmetadata: {"openclaw":{"requires":{"bins":["jq"]}}}',
    );
    const { content, diagnostics } = editSkill(before, { description: "y" }, options);
    expect(diagnostics.map(({ code, message }) => [code, /"(.*?)"/.exec(message)?.[1]])).toEqual([
      ["field.moved", "user-invocable"],
      ["field.moved", "toolHints"],
    ]);
    const { skill } = parseSkill(content, options);
    const was = parseSkill(before, options).skill?.fields;
    expect({ ...skill?.fields, metadata: was?.metadata }).toEqual(was);
    expect(validateSkill(content, options)).toEqual([]);
  });

  test.each([
    [
      "---\r\nname: d\r\ndescription: x   # kept\r\nodd: 1\r\n---\r\nOld.\r\n",
      "---\r\nname: d\r\ndescription: x   # kept\r\nodd: 1\r\n---\r\n",
    ],
    ["---\nname: d\ndescription: x\n---", "---\nname: d\ndescription: x\n---\n"],
  ])("where only the body changes the header stays byte for byte: %j", (before, header) => {
    const { content, diagnostics } = editSkill(before, { body: "  New\r\ntext. \n" }, options);
    expect(Buffer.from(content).toString()).toBe(`${header}\nNew\ntext.\n`);
    expect(diagnostics).toEqual([]);
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
