import { type Diagnostic, SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import { memoryRepository } from "../src/index.js";

async function read(text: string) {
  const repository = memoryRepository({ skills: { demo: { "SKILL.md": text } } });
  const { skills, broken } = await repository.list();
  const codes = (told: readonly Diagnostic[]) => told.map(({ code }) => code);
  const [skill] = skills;
  if (!skill) return { broken: codes(broken[0]?.diagnostics ?? []) };
  const { name, description, frontmatter, diagnostics } = skill;
  return {
    name,
    description,
    frontmatter,
    codes: codes(diagnostics),
    body: (await repository.load("demo")).body,
  };
}

const headed = (more: string, body = "Body") => `---\nname: demo\ndescription: Does it.\n${more}---\n${body}`;
const aliases = [
  "a: &a [x,x,x,x,x,x,x,x,x]",
  ..."bcdef".split("").map((key, index) => {
    const before = `*${"abcde"[index]}`;
    return `${key}: &${key} [${Array(9).fill(before).join(",")}]`;
  }),
].join("\n");

test.each([
  [
    "SKILL-01: name, description and body are parsed",
    headed(""),
    { name: "demo", description: "Does it.", body: "Body", codes: [] },
  ],
  [
    "SKILL-05: a description with an unquoted colon loads in full, and that is told",
    "---\nname: demo\ndescription: Configure X: do Y\n---\n",
    { description: "Configure X: do Y", codes: ["yaml.repaired"] },
  ],
  [
    "SKILL-06: lists and nested mappings are kept",
    headed("list: [a]\nmap: { k: { v: 1 } }\n"),
    { name: "demo", frontmatter: { list: ["a"], map: { k: { v: 1 } } } },
  ],
  ["SKILL-07: a key given twice is told", headed("description: Other.\n"), { codes: ["yaml.duplicate-key"] }],
  ["SKILL-02: a text without a header is broken, and told", "Just text", { broken: ["frontmatter.missing"] }],
  [
    "SKILL-03: a header that is not closed is broken, and told",
    "---\nname: demo\ndescription: x\nText",
    { broken: ["frontmatter.unclosed"] },
  ],
  [
    "SKILL-04: a block after a heading is no header",
    "# Title\n---\nname: demo\ndescription: x\n---\n",
    { broken: ["frontmatter.missing"] },
  ],
  [
    "SKILL-08: a name that is a number is its digits",
    "---\nname: 123\ndescription: x\n---\n",
    { name: "123" },
  ],
  [
    "SKILL-09: a header of 17,000 characters loads, since the limit is the file's",
    headed(`x: ${"y".repeat(17_000)}\n`),
    { name: "demo", body: "Body" },
  ],
  [
    "SKILL-09: a header beyond every measure is refused",
    headed(`x: ${"y".repeat(300_000)}\n`),
    { broken: ["yaml.resource-limit"] },
  ],
  ["YAML-02: aliases that multiply are refused", headed(`${aliases}\n`), { broken: ["yaml.resource-limit"] }],
  ["SKILL-10: an empty body loads", headed("", ""), { name: "demo", body: "" }],
])("%s", async (_, text, expected) => {
  expect(await read(text)).toMatchObject(expected);
});

test("EDIT-01: an upload with fewer files than before removes the others", async () => {
  const repository = memoryRepository({ skills: { demo: { "SKILL.md": headed(""), "old.txt": "old" } } });
  const { manifest } = await repository.upload([{ path: "SKILL.md", content: headed("") }]);
  expect(manifest.files.map(({ path }) => path)).toEqual(["SKILL.md"]);
});

test("EDIT-02: an upload named ../x is refused, and deleting it finds nothing", async () => {
  const repository = memoryRepository();
  const upload = repository.upload([{ path: "SKILL.md", content: headed("").replace("demo", "../x") }]);
  expect(SkillError.is(await upload.catch((error: unknown) => error), "SKILL_INVALID")).toBe(true);
  expect(await repository.delete("../x")).toBe(false);
});
