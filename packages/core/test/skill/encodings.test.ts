import { parseSkill, validateSkill } from "@skillwright/core";
import { describe, expect, test } from "vitest";

const TEXT = "---\nname: wide\ndescription: One thing.\n---\nDo it.\n";
const littleEndian = Buffer.from(TEXT, "utf16le");
const options = { directoryName: "wide" };
const PROFILES = ["spec", "client", "portable"] as const;

describe("a SKILL.md that is not UTF-8", () => {
  test.each([
    ["UTF-16", "little-endian with a mark", Buffer.concat([Buffer.from([0xff, 0xfe]), littleEndian])],
    [
      "UTF-16",
      "big-endian with a mark",
      Buffer.from(Buffer.concat([Buffer.from([0xff, 0xfe]), littleEndian])).swap16(),
    ],
    ["UTF-16", "little-endian", littleEndian],
    ["UTF-16", "big-endian", Buffer.from(littleEndian).swap16()],
    ["UTF-32", "little-endian with a mark", Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), wide(TEXT)])],
    [
      "UTF-32",
      "big-endian with a mark",
      Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), wide(TEXT)]).swap32(),
    ],
  ])("is reported as %s, %s, and nothing else", (name, _how, bytes) => {
    const told = [
      {
        severity: "error",
        message: expect.stringContaining(`is in ${name};`),
        hint: "Save the file as UTF-8.",
      },
    ];
    expect(parseSkill(bytes, options)).toMatchObject({ diagnostics: told });
    expect(parseSkill(bytes, options).skill).toBeUndefined();
    for (const profile of PROFILES) expect(validateSkill(bytes, { ...options, profile })).toMatchObject(told);
  });
});

describe("a NUL byte in SKILL.md", () => {
  test.each([
    ["the header", TEXT.replace("One", "One\0"), "encoding.nul-byte", 3, 17],
    ["the body", TEXT.replace("Do", "D\0o"), "encoding.nul-byte-in-body", 5, 2],
  ])("in %s is reported with its position, and the skill is read", (where, text, code, line, column) => {
    const { skill, diagnostics } = parseSkill(Buffer.from(text), options);
    expect(skill).toMatchObject({ name: "wide", description: "One thing." });
    expect(diagnostics).toMatchObject([
      {
        code,
        severity: "warning",
        message: expect.stringContaining("NUL byte"),
        line,
        column,
      },
    ]);
    const severities = { spec: where === "the body" ? "warning" : "error", portable: "error" } as const;
    for (const [profile, severity] of Object.entries(severities) as ["spec" | "portable", string][])
      expect(validateSkill(text, { ...options, profile })).toMatchObject([{ code, severity }]);
  });
});

describe("a field that occurs twice", () => {
  test.each([
    ["name: wide\ndescription: One thing.\nname: wide", "name", 4, 1],
    ['"license": MIT\nname: wide\ndescription: One thing.\n"license": MIT', "license", 5, 2],
    ["name: wide\ndescription: One thing.\nmetadata:\n  a: 1\n  a: 2", "a", 6, 3],
    ["name: wide\ndescription: One: thing.\nlicense: MIT\nlicense: MIT", "license", 5, 1],
  ])("%j is reported with its position", (header, key, line, column) => {
    const { diagnostics } = parseSkill(`---\n${header}\n---\nDo it.\n`, options);
    expect(diagnostics.filter(({ code }) => code === "yaml.duplicate-key")).toMatchObject([
      { message: `The field "${key}" occurs in the header twice; the last one is used.`, line, column },
    ]);
  });
});

function wide(text: string): Buffer {
  return Buffer.concat([...text].map((character) => Buffer.from([character.charCodeAt(0), 0, 0, 0])));
}
