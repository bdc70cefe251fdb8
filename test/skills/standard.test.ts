import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { validateSkill } from "../../packages/core/src/skill/validate-skill.js";
import {
  bundledSkills,
  exampleCommand,
  exampleSection,
  readFrontmatter,
  skillFile,
  skillFiles,
} from "./bundled-skill.js";

const STANDARD_FIELDS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

describe("the bundled skills", () => {
  it("are these six", () => {
    expect(bundledSkills).toEqual([
      "code-reviewer",
      "consistency-checker",
      "csv-analyst",
      "markdown-segment-translator",
      "pdf-to-markdown",
      "python-math",
    ]);
  });
});

describe.each(bundledSkills)("%s", (skill) => {
  it("has only the standard's fields, each within its limits", () => {
    const { fields } = readFrontmatter(skill);
    expect(Object.keys(fields).filter((field) => !STANDARD_FIELDS.includes(field))).toEqual([]);
    expect(fields["name"]).toBe(skill);
    expect(skill).toMatch(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(fields["description"]?.length).toBeGreaterThan(80);
    expect(fields["description"]?.length).toBeLessThanOrEqual(1024);
    expect(fields["description"]).not.toMatch(/[<>]/);
    expect((fields["compatibility"] ?? "none").length).toBeLessThanOrEqual(500);
  });

  it("has texts as the values of metadata, under keys of our own", () => {
    const { metadata } = readFrontmatter(skill);
    for (const [key, value] of Object.entries(metadata)) {
      expect(key).toMatch(/^(skillwright\.example-input|toolHints)$/);
      expect(value, "a number or a yes would not be a text in YAML").toMatch(/[a-z]{4,}/);
    }
  });

  it("passes the project's own validation without a finding", () => {
    expect(validateSkill(skillFile(skill, "SKILL.md"), { directoryName: skill })).toEqual([]);
  });

  it("is short enough to be loaded whole, and contains instructions, not only a description", () => {
    const text = skillFile(skill, "SKILL.md");
    expect(text.split("\n").length).toBeLessThan(200);
    expect(text.length / 4, "tokens, about").toBeLessThan(2500);
    expect(text).toMatch(/\n## What it needs\n/);
    expect(text).toMatch(/\n## (What can go wrong|When it goes wrong)\n/);
    expect(exampleSection(skill)).not.toBe("");
  });

  it("refers only to files that it includes, and includes no unused ones", () => {
    const files = skillFiles(skill);
    const texts = files
      .filter((path) => path.endsWith(".md"))
      .map((path) => skillFile(skill, path))
      .join("\n");
    const named = texts.match(/(?<![\w/.-])(scripts|references|assets)\/[\w./-]*\w/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    expect(
      named.filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`))),
    ).toEqual([]);
    const top = files.filter((path) => /^(references|assets)\//.test(path));
    expect(
      top.filter((path) => !texts.includes(path) && !BROUGHT_FOR_SCRIPTS.includes(basename(path))),
    ).toEqual([]);
  });

  it("names existing sample files for its example", () => {
    const samples = readFrontmatter(skill).metadata["skillwright.example-input"]?.split(" ") ?? [];
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.filter((path) => !skillFiles(skill).includes(path))).toEqual([]);
  });

  it("shows one command, on one line, from inputs/ to out/, if it has scripts", () => {
    const hasScripts = skillFiles(skill).some((path) => path.startsWith("scripts/"));
    const command = exampleCommand(skill);
    expect(command !== undefined).toBe(hasScripts);
    if (command === undefined) return;
    expect(command.match(/inputs\/[\w.-]+/g)).toHaveLength(1);
    expect(command.match(/out\/[\w.-]+/g)).toHaveLength(1);
    expect(command).not.toContain("\n");
    expect(command).toMatch(/^(node|python3) scripts\/[\w.-]+ /);
  });

  it("contains nothing that a scanner rejects", () => {
    const texts = skillFiles(skill).filter(
      (path) => /\.(md|mjs|py|txt|csv)$/.test(path) && !path.includes(".bundle."),
    );
    for (const path of texts) {
      const text = skillFile(skill, path);
      for (const [what, pattern] of STOPS) expect(text, `${path}: ${what}`).not.toMatch(pattern);
    }
    expect(
      skillFiles(skill).filter((path) => /(^|\/)\.|\.(pyc|zip|gz|svg|exe|so)$|__pycache__/.test(path)),
    ).toEqual([]);
  });
});

/** Files that a script reads, not the model. */
const BROUGHT_FOR_SCRIPTS = ["character-maps.bin"];

const STOPS: [string, RegExp][] = [
  [
    "invisible or direction-changing characters",
    /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u,
  ],
  ["a download piped into a shell", /\b(curl|wget)\b[^\n]*\|\s*(ba|z)?sh\b/],
  ["an install step", /\b(npm|pip3?|apt(-get)?|brew)\s+(i|install)\b|\bnpx\b/],
  ["an encoded blob", /[A-Za-z0-9+/]{200,}/],
  ["a raw IP address as an address", /https?:\/\/\d+\.\d+\.\d+\.\d+/],
  ["an override phrase", /ignore (all|any|previous)|do not tell the user|silently/i],
  ["a secret", /-----BEGIN|\b(sk|ghp|xox[bp])[-_][A-Za-z0-9]{16,}|\bAKIA[0-9A-Z]{16}\b/],
  ["a home directory's secrets", /~\/\.(ssh|aws|netrc|config)|\.env\b/],
  ["a path of a machine", /\/(home|Users)\/\w+/],
];
