import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "project/skills/pdf/SKILL.md":
    "---\nname: pdf\ndescription: Reads PDF.\nlicense: MIT\nmetadata:\n  author: me\n  tags: [a, b]\n---\none\ntwo\n",
  "project/skills/pdf/references/forms.md": "# Forms\n",
  "project/skills/pdf/scripts/read.sh": "#!/bin/sh\necho\n",
  "project/skills/other/SKILL.md": skill("other"),
};

test("shows description, fields, documents, files with sizes, and the digest", async () => {
  const { cli } = await cliFixture(files);
  const { code, out } = await cli(["inspect", "pdf", "--skills", "skills"]);
  expect(code).toBe(0);
  expect(out).toContain("pdf  --skills skills, pdf\nReads PDF.\n");
  expect(out).toContain("2 lines, 7 characters");
  expect(out).toContain("license: MIT");
  expect(out).toContain("    author: me");
  expect(out).toContain('    tags: ["a","b"]');
  expect(out).toMatch(/Documents\n\s+8 B {2}references\/forms\.md\n/);
  expect(out).toMatch(/Files\n[\s\S]*15 B {2}scripts\/read\.sh \*executable\n/);
  expect(out).toMatch(/3 files, \d+ B, sha256:[0-9a-f]{64}\n$/);
});

test.each(["./skills/pdf", "skills/pdf/", "./skills/pdf/SKILL.md"])("accepts the path %s", async (path) => {
  const { cli } = await cliFixture(files);
  const { code, out } = await cli(["inspect", path, "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    formatVersion: 1,
    name: "pdf",
    trusted: true,
    manifest: { files: { length: 3 } },
  });
});

test("accepts the working directory", async () => {
  const { cli, project } = await cliFixture(files);
  expect((await cli(["inspect", "."], { cwd: `${project}/skills/pdf` })).out).toContain("Reads PDF.");
});

test("reports diagnostics with their lines", async () => {
  const { cli } = await cliFixture({
    "project/s/odd/SKILL.md": "---\nname: even\ndescription: Use: it\n---\n",
  });
  const { code, out } = await cli(["inspect", "./s/odd"]);
  expect(code).toBe(0);
  expect(out).toContain("name.directory-mismatch");
  expect(out).toMatch(/warning 3:1 .*yaml\.repaired/);
});

test("a path without a skill, and an unusable skill, are errors with the reason", async () => {
  const { cli, project } = await cliFixture({ "project/s/bad/SKILL.md": "---\nname: bad\n---\n" });
  const nowhere = await cli(["inspect", "./nowhere"]);
  expect(nowhere).toMatchObject({ code: 1, out: "" });
  expect(nowhere.err).toContain(`${project}/nowhere has no SKILL.md`);
  const bad = await cli(["inspect", "./s/bad"]);
  expect(bad).toMatchObject({ code: 1, out: "" });
  expect(bad.err).toContain("The skill has no description");
});
