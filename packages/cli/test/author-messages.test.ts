import { describe, expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

/** The output of `validate` for a SKILL.md with this header. */
async function told(header: string, profile: string): Promise<string> {
  return await toldOf(`---\n${header}\n---\nDo it.\n`, profile);
}

async function toldOf(text: string, profile: string): Promise<string> {
  const { cli } = await cliFixture({ "project/pdf/SKILL.md": text });
  return (await cli(["validate", "--no-lint", "--profile", profile])).out;
}

describe.each(["spec", "client", "portable"])("validate --profile %s", (profile) => {
  test("names a colon in a description, with its position", async () => {
    const out = await told("name: pdf\ndescription: Use when: a PDF is given", profile);
    expect(out).toContain('value of "description" contains a colon followed by a space');
    expect(out).toContain("Put the whole value in double quotes");
    expect(out).not.toContain("bad indentation");
  });

  test("suggests the lower case of a key with a capital", async () => {
    const out = await told("name: pdf\nDescription: Reads PDF files.", profile);
    expect(out).toContain('The skill has no description: "Description" is another key.');
    expect(out).toContain("Write the key in lower case: `description: ...`.");
    const named = await told("Name: pdf\ndescription: Reads PDF files.", profile);
    expect(named).toContain("Write the key in lower case: `name: pdf`.");
  });

  test("says to add a missing name", async () => {
    const out = await told("description: Reads PDF files.", profile);
    expect(out).toContain("The skill has no name");
    expect(out).toContain("Add a line `name: pdf`");
  });

  test("reports an unclosed quote and does not suggest quotes", async () => {
    const out = await told('name: pdf\ndescription: "Reads PDF files.', profile);
    expect(out).toContain("begins with a double quote that is never closed");
    expect(out).toContain('Write another " at the end of the value.');
    expect(out).not.toMatch(/in (?:double|single) quotes/);
  });

  test("names text after a closing quote", async () => {
    const out = await told("name: pdf\ndescription: 'Reads' PDF files.", profile);
    expect(out).toContain("continues after its closing single quote");
  });

  test("names a blank line before the first dashes", async () => {
    const out = await toldOf(`\n${skill("pdf")}`, profile);
    expect(out).toContain("SKILL.md begins with a blank line or a space");
    expect(out).toContain("Delete what stands before the first `---`.");
  });

  test("reports a comment that cuts a description, with its position", async () => {
    const out = await told("name: pdf\ndescription: Reads C # and F files", profile);
    expect(out).toContain("warning 3:22 The description ends before the ` #`");
    const quoted = await told('name: pdf\ndescription: "Reads C # and F files" # for now', profile);
    expect(quoted).not.toContain("description.comment");
  });

  test("states the limit of a header that is too long", async () => {
    const out = await told(`name: pdf\ndescription: d\nnotes: ${"x".repeat(110 * 1024)}`, profile);
    expect(out).toContain("longer than 100 Ki (102400) characters");
  });
});

test("a comment on its own line or in a later field cuts nothing", async () => {
  const out = await told(
    "name: pdf\n# here\ndescription: Reads\n  # PDF\nlicense: MIT # yes\nmetadata:\n  a: b # c",
    "spec",
  );
  expect(out).not.toContain("description.comment");
});

test("a comment after the second line of a description is reported there", async () => {
  const out = await told("name: pdf\ndescription: Reads\n  C # and F", "spec");
  expect(out).toContain("4:5 The description ends");
});

test("validate of many skills ends with counts by rule, errors first", async () => {
  const { cli } = await cliFixture({
    "project/skills/one/SKILL.md": skill("Two"),
    "project/skills/three/SKILL.md": skill("Four"),
    "project/skills/five/SKILL.md": "---\nname: five\ndescription: Reads C # files\n---\nDo it.\n",
  });
  const { out } = await cli(["validate", "--no-lint"]);
  expect(out).toMatch(
    / {2}error {3}2 name\.directory-mismatch\n {2}error {3}2 name\.uppercase\n {2}warning 1 description\.comment\n✘ 2 of 3 skills/,
  );
  const { summary } = JSON.parse((await cli(["validate", "--no-lint", "--format", "json"])).out);
  expect(summary.rules["name.uppercase"]).toEqual({ severity: "error", count: 2 });
});

test("pack prefers the directory of that name to an installed skill", async () => {
  const { cli } = await cliFixture({
    "project/pdf/SKILL.md": skill("pdf", "Reads PDF files here."),
    "project/pdf/here.txt": "here",
    "home/.agents/skills/pdf/SKILL.md": skill("pdf"),
  });
  const { out, code } = await cli(["pack", "pdf", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out).files.map(({ path }: { path: string }) => path)).toEqual(["SKILL.md", "here.txt"]);
});

test.each([".env", "config/.env.production", "id_ed25519", "tls/server.key", ".aws/credentials"])(
  "pack refuses %s by its name, and packs it with --force",
  async (path) => {
    const { cli } = await cliFixture({
      "project/pdf/SKILL.md": skill("pdf"),
      [`project/pdf/${path}`]: "COLOUR=blue\n",
    });
    const { out, code } = await cli(["pack", "pdf"]);
    expect(code).toBe(1);
    expect(out).toContain(`"${path}" is, by its name, a file that contains secrets.`);
    expect((await cli(["pack", "pdf", "--force"])).code).toBe(0);
  },
);

test.each([".env.example", ".env.template", "keys.md", "monkey.py"])("pack accepts %s", async (path) => {
  const { cli } = await cliFixture({ "project/pdf/SKILL.md": skill("pdf"), [`project/pdf/${path}`]: "A=\n" });
  expect((await cli(["pack", "pdf"])).code).toBe(0);
});
