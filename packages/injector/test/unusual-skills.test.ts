import { injector } from "@skillwright/injector";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { expect, test } from "vitest";

/** What the model is shown of a SKILL.md with this header, and the diagnostics for the operator. */
async function shown(header: string, path = "some-skill") {
  const box = skillBox({
    own: memoryRepository({ skills: { [path]: { "SKILL.md": `---\n${header}\n---\nBody.` } } }),
  });
  const snapshot = await box.snapshot();
  const codes = snapshot.skills.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
  return { text: injector().overview({ snapshot }).text, codes, snapshot };
}

test.each([
  [64, false],
  [65, true],
])(
  "a name of %i characters is shown, and reported where it is too long (SKILL-15)",
  async (length, isLong) => {
    const name = "n".repeat(length);
    const { text, codes } = await shown(`name: ${name}\ndescription: d`, name);
    expect(text).toContain(`<name>${name}</name>`);
    expect(codes.includes("name.too-long")).toBe(isLong);
  },
);

test.each([
  ["Upper", "name.uppercase"],
  ["under_score", "name.bad-character"],
  ["a/b", "name.bad-character"],
])("the name %j is shown, and reported (SKILL-16)", async (name, code) => {
  const { text, codes } = await shown(`name: ${name}\ndescription: d`);
  expect(text).toContain(`<name>${name}</name>`);
  expect(codes).toContain(code);
});

test("1,024 characters of two bytes each are within the limit, and shown in full (SKILL-18)", async () => {
  const description = "é".repeat(1024);
  const { text, codes } = await shown(`name: some-skill\ndescription: ${description}`);
  expect(text).toContain(`<description>${description}</description>`);
  expect(codes).toEqual([]);
});

test("a description with a tag is escaped (SKILL-17)", async () => {
  const { text } = await shown('name: some-skill\ndescription: "Writes <tag> & more"');
  expect(text).toContain("<description>Writes &lt;tag&gt; &amp; more</description>");
});

test("three dashes inside a value do not end the header (SKILL-19)", async () => {
  const { text, snapshot } = await shown("name: some-skill\ndescription: Does a --- b\ntitle: a --- b");
  expect(text).toContain("<description>Does a --- b</description>");
  expect(snapshot.skills[0]?.frontmatter).toMatchObject({ title: "a --- b" });
});

test("a nested skill without a name is named after the last part of its path (SKILL-20)", async () => {
  const { text } = await shown("description: Checks.", "workflow/check");
  expect(text).toContain("<name>check</name>");
});
