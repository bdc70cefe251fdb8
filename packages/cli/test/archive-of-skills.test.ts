import { expect, onTestFinished, test } from "vitest";
import { zip } from "../../repository-http/test/raw-archives.js";
import { webServer } from "../../repository-http/test/web-server.js";
import { cliFixture, skill } from "./cli-fixture.js";

test("SKILLS_ROOT has an address of an archive of several skills beside a folder (LIST-30, STORE-17)", async () => {
  const { cli, project, home } = await cliFixture({ "more/own/SKILL.md": skill("own") });
  const server = await webServer({
    "/skills.zip": zip(
      { name: "team/README.md", body: "About." },
      { name: "team/skills/csv/SKILL.md", body: skill("csv") },
      { name: "team/skills/pdf/SKILL.md", body: skill("pdf") },
    ),
  });
  onTestFinished(() => server.close());
  const SKILLS_ROOT = `${server.origin}/skills.zip:${project}/../more`;
  const listed = (env: object) => cli(["list"], { env: { HOME: home, SKILLS_ROOT, ...env } });
  const { code, out } = await listed({ SKILLWRIGHT_PRIVATE_ORIGINS: server.origin });
  expect(code).toBe(0);
  for (const name of ["csv", "own", "pdf"]) expect(out).toMatch(new RegExp(`^${name} {2,}SKILLS_ROOT `, "m"));

  const unnamed = await listed({ SKILLWRIGHT_PRIVATE_ORIGINS: "https://other.example" });
  expect(unnamed.err).toContain("is not encrypted");
});
