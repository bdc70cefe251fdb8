import { failsWith, skillMarkdown } from "@skillwright/contracts";
import { expect, onTestFinished, test } from "vitest";
import { openSkillsPackage } from "../src/package/skills-package.js";
import type { SkillsPackageConfig } from "../src/package/skills-package-config.js";
import { packageFolder } from "./package-folder.js";

const files = {
  "skills/pdf/SKILL.md": skillMarkdown("pdf"),
  "skills/nested/csv/SKILL.md": skillMarkdown("csv"),
  "commands/write.md": "Write about $ARGUMENTS.",
  "commands/notes.txt": "no command",
};

test("a local package provides skills and commands from the directories it names", async () => {
  const { repository, commands, diagnostics } = await opened({});
  expect((await repository.list()).skills.map(({ name }) => name)).toEqual(["csv", "pdf"]);
  expect([...commands]).toEqual([["write", "Write about $ARGUMENTS."]]);
  expect(diagnostics).toEqual([]);
});

test("only enabled skills are available: others are reported in the listing, and loading one fails with SKILL_NOT_FOUND", async () => {
  const { repository } = await opened({ enabledSkills: ["csv"] });
  const { skills, diagnostics } = await repository.list();
  expect(skills.map(({ name }) => name)).toEqual(["csv"]);
  expect(diagnostics).toMatchObject([{ code: "config.skill-not-enabled", severity: "info" }]);
  expect((await repository.load("csv")).name).toBe("csv");
  expect((await repository.load("nested/csv")).name).toBe("csv");
  await failsWith(repository.load("pdf"), "SKILL_NOT_FOUND");
  await failsWith(repository.open("pdf", "SKILL.md"), "SKILL_NOT_FOUND");
  await failsWith(Promise.resolve(repository.reader?.("pdf")), "SKILL_NOT_FOUND");
});

test("an enabled skill that is missing is a warning, and the rest works (AGENT-07)", async () => {
  const { repository, diagnostics, commands } = await opened({
    enabledSkills: ["csv", "gone"],
    enabledCommands: ["gone"],
    version: "2",
  });
  expect(diagnostics.map(({ code }) => code)).toEqual([
    "config.unknown-skill",
    "config.unknown-command",
    "config.version-without-effect",
  ]);
  expect((await repository.list()).skills).toHaveLength(1);
  expect(commands.size).toBe(0);
});

test("a missing directory is reported with the field", async () => {
  await expect(opened({ skillsDir: "elsewhere" })).rejects.toThrow(/skillsPackage\.path[\s\S]*elsewhere/);
});

async function opened(config: Partial<SkillsPackageConfig>) {
  const workDir = await packageFolder(files);
  const made = await openSkillsPackage({ source: "local", ...config }, { workDir });
  onTestFinished(() => made.close());
  return made;
}

test("hybrid keeps its local skills and commands while the bucket cannot be reached, and reports it", async () => {
  const workDir = await packageFolder(files);
  const env = {
    S3_ENDPOINT: "http://127.0.0.1:1",
    AWS_ENDPOINT_URL: "http://127.0.0.1:1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: "us-east-1",
  };
  const config = { source: "hybrid", path: "s3://skills/team", enabledSkills: ["pdf", "remote"] } as const;
  const hybrid = await openSkillsPackage(config, { workDir, env });
  onTestFinished(() => hybrid.close());
  const { skills, diagnostics } = await hybrid.repository.list();
  expect(skills.map(({ name }) => name)).toEqual(["pdf"]);
  expect(diagnostics.map(({ code }) => code)).toContain("repository.failed");
  expect((await hybrid.repository.load("pdf")).name).toBe("pdf");
  expect([...hybrid.commands.keys()]).toEqual(["write"]);
  expect(hybrid.diagnostics).toMatchObject([{ code: "repository.failed", severity: "error" }]);
  expect(hybrid.diagnostics[0]?.message).toMatch(
    /cannot be reached.*Only the content of the local folder is offered/s,
  );
});
