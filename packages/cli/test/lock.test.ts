import { execFileSync } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { sourceForLock } from "../src/lock/locked-source.js";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "team/pdf/SKILL.md": skill("pdf"),
  "team/pdf/scripts/read.sh": "#!/bin/sh\necho\n",
  "team/csv/SKILL.md": skill("csv"),
};
const LOCK = "skills.lock.json";

test("lock writes source and digest of every skill; locking again changes nothing", async () => {
  const { cli, project } = await cliFixture(files);
  const { code, out } = await cli(["lock", "../team"]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /\+ csv {2}\.\.\/team {2}sha256:[0-9a-f]{12}\n\+ pdf .*\n\.\/skills\.lock\.json contains 2 skills\.\n/,
  );
  const text = await readFile(join(project, LOCK), "utf8");
  expect(JSON.parse(text)).toMatchObject({
    formatVersion: 1,
    skills: { csv: { source: "../team" }, pdf: { source: "../team" } },
  });
  expect((await cli(["lock", "../team"])).out).toContain("Nothing changed");
  expect(await readFile(join(project, LOCK), "utf8")).toBe(text);
});

test("a skill that was removed from its source is removed from the file, unless only some are requested", async () => {
  const { cli, project, write } = await cliFixture(files);
  await cli(["lock", "../team", "--skill", "pdf"]);
  expect(await lockedNames(project)).toEqual(["pdf"]);
  await cli(["lock", "../team"]);
  await write({ "team/csv/SKILL.md": "broken" });
  const { out } = await cli(["lock", "../team"]);
  expect(out).toContain("- csv  no longer locked");
  expect(await lockedNames(project)).toEqual(["pdf"]);
});

test("install installs the locked version, update the newer one, and list finds it", async () => {
  const { cli, project, write } = await cliFixture(files);
  await cli(["lock", "../team"]);
  const installed = await cli(["install"]);
  expect(installed).toMatchObject({ code: 0, out: "2 skills installed (./.skillwright/skills)\n" });
  expect(installed.err).toContain("✔ pdf  installed, sha256:");
  expect((await cli(["list"])).out).toContain("pdf");

  await write({ "team/pdf/SKILL.md": skill("pdf", "Does it better.") });
  expect(await cli(["update", "--check"])).toMatchObject({ code: 1 });
  const updated = await cli(["update"]);
  expect(updated.code).toBe(0);
  expect(updated.out).toMatch(/~ pdf {2}sha256:\w+ → \.\.\/team {2}sha256:\w+/);
  expect(updated.out).toContain("0 skills installed, 1 replaced, 1 unchanged");
  expect(await readFile(join(project, ".skillwright/skills/pdf/SKILL.md"), "utf8")).toContain("better");
  expect(await cli(["update", "--check"])).toMatchObject({ code: 0 });
});

test("install from a source locks and installs only the requested skills", async () => {
  const { cli, project } = await cliFixture(files);
  const { code, out } = await cli(["install", "../team", "--skill", "csv", "--to", "mine"]);
  expect([code, out]).toEqual([0, "1 skill installed (./mine)\n"]);
  expect(await readdir(join(project, "mine"))).toEqual([".skillwright-installed.json", "csv"]);
  expect(await lockedNames(project)).toEqual(["csv"]);
});

test("a source that changed since is refused, frozen or not, and the installed skill stays (INSTALL-02)", async () => {
  const { cli, project, write } = await cliFixture(files);
  await cli(["install", "../team"]);
  await write({ "team/pdf/SKILL.md": skill("pdf", "Swapped.") });
  expect(await cli(["install", "--frozen"])).toMatchObject({ code: 0 });
  const { code, err } = await cli(["install", "--frozen", "--to", "elsewhere"]);
  expect(code).toBe(1);
  expect(err).toMatch(/✘ pdf[\s\S]*DIGEST_MISMATCH/);
  expect(await readdir(join(project, "elsewhere"))).toContain("csv");
});

test("an edited skill is replaced only with --force (INSTALL-01)", async () => {
  const { cli, project } = await cliFixture(files);
  await cli(["install", "../team"]);
  const path = join(project, ".skillwright/skills/pdf/SKILL.md");
  await writeFile(path, skill("pdf", "Mine."));
  const refused = await cli(["install", "--json"]);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.out).skills).toMatchObject([
    { name: "csv", state: "unchanged" },
    { name: "pdf", state: "failed", error: { code: "SKILL_EXISTS" } },
  ]);
  expect(await readFile(path, "utf8")).toContain("Mine.");
  expect(await cli(["install", "--force"])).toMatchObject({ code: 0 });
  expect(await readFile(path, "utf8")).not.toContain("Mine.");
});

test.each([
  [["install"], /The lock file [\s\S]* does not exist[\s\S]*skillwright lock <source>/],
  [["update"], /The lock file [\s\S]* does not exist/],
  [["install", "--frozen", "--force"], /--frozen cannot be combined with/],
  [["install", "../team", "--skill", "gone"], /gone/],
  [["lock", "../nowhere"], /does not exist/],
  [["lock", "https://ada:geheim@example.com/skills.zip"], /contains credentials/],
  [["lock", "ftp://example.com/skills"], /unknown scheme/],
])("%j is an error with a remedy", async (argv, message) => {
  const { cli } = await cliFixture(files);
  const { code, err } = await cli(argv);
  expect(code).toBe(1);
  expect(err).toMatch(message);
  expect(err).not.toContain("geheim");
});

test("the error about a damaged lock file names the field, and an invalid name is refused (INSTALL-04)", async () => {
  const { cli, write } = await cliFixture(files);
  await write({
    [`project/${LOCK}`]: JSON.stringify({ formatVersion: 1, skills: { "../pdf": { source: "x" } } }),
  });
  const { code, err } = await cli(["install"]);
  expect(code).toBe(1);
  expect(err).toContain("skills.../pdf");
});

test("a git source is locked at its commit, and installed from it after the branch moved", async () => {
  const { cli, project, home, write } = await cliFixture(files);
  vi.stubEnv("XDG_CACHE_HOME", join(home, "cache"));
  const team = join(project, "../team");
  git(team, "init", "-q", "-b", "main");
  commit(team);
  const source = `git+file://${team}#main`;
  const { out, err } = await cli(["lock", source]);
  expect(err).toBe("");
  expect(out).toMatch(/commit [0-9a-f]{12}, sha256:/);
  await write({ "team/pdf/SKILL.md": skill("pdf", "Newer.") });
  commit(team);
  expect(await cli(["install", "--frozen"])).toMatchObject({ code: 0 });
  const path = join(project, ".skillwright/skills/pdf/SKILL.md");
  expect(await readFile(path, "utf8")).not.toContain("Newer.");
  expect(await cli(["update"])).toMatchObject({ code: 0 });
  expect(await readFile(path, "utf8")).toContain("Newer.");
});

test("a git source in SKILLS_ROOT is listed beside a folder (LIST-30)", async () => {
  const { cli, project, home } = await cliFixture({ ...files, "more/own/SKILL.md": skill("own") });
  vi.stubEnv("XDG_CACHE_HOME", join(home, "cache"));
  const team = join(project, "../team");
  git(team, "init", "-q", "-b", "main");
  commit(team);
  const root = `git+file://${team}#main:${project}/../more`;
  const { code, out } = await cli(["list"], { env: { HOME: home, SKILLS_ROOT: root } });
  expect(code).toBe(0);
  expect(out).toMatch(/^own {2,}/m);
  expect(out).toMatch(/^pdf {2,}SKILLS_ROOT /m);
});

async function lockedNames(project: string): Promise<string[]> {
  return Object.keys(JSON.parse(await readFile(join(project, LOCK), "utf8")).skills);
}

function commit(directory: string): void {
  git(directory, "add", "-A");
  git(directory, "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "change");
}

function git(directory: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: directory });
}

test("a skill with an invalid name is not locked, the rule is printed, and the lock file stays readable (INSTALL-12)", async () => {
  const { cli, project } = await cliFixture({ ...files, "team/My_Skill/SKILL.md": skill("My_Skill") });
  const locking = await cli(["lock", "../team"]);
  expect(locking.code).toBe(1);
  expect(locking.err).toContain(
    'The name "My_Skill" cannot be in a lock file: a skill\'s name has lower-case',
  );
  expect(await lockedNames(project)).toEqual(["csv", "pdf"]);
  expect(await cli(["install"])).toMatchObject({ code: 0 });
  const installed = await cli(["install", "../team", "--allow-errors", "--json"]);
  expect(installed.code).toBe(1);
  expect(JSON.parse(installed.out).skills).toContainEqual({
    name: "My_Skill",
    state: "failed",
    error: { code: "INPUT_INVALID", message: expect.stringContaining("Rename the skill.") },
  });
});

test("update updates the other skills if one skill is gone from its source and another source cannot be opened (INSTALL-12)", async () => {
  const { cli, project, write } = await cliFixture({ ...files, "other/doc/SKILL.md": skill("doc") });
  await cli(["install", "../team"]);
  await cli(["install", "../other"]);
  await write({ "team/pdf/SKILL.md": skill("pdf", "Does it better.") });
  await rm(join(project, "../team/csv"), { recursive: true });
  await rm(join(project, "../other"), { recursive: true });
  const check = await cli(["update", "--check"]);
  expect(check).toMatchObject({ code: 1, out: expect.stringContaining("~ pdf") });
  const updated = await cli(["update"]);
  expect(updated.code).toBe(1);
  expect(updated.err).toMatch(/✘ csv .*\n.*✘ doc |✘ doc .*\n.*✘ csv /);
  expect(updated.out).toContain("1 replaced, 2 failed");
  expect(await readFile(join(project, ".skillwright/skills/pdf/SKILL.md"), "utf8")).toContain("better");
  expect(await lockedNames(project)).toEqual(["csv", "doc", "pdf"]);
});

test.each([
  ["https://ghp_token@example.com/skills.zip", true],
  ["git+https://ghp_token@example.com/team/skills.git", true],
  ["registry+https://ghp_token@example.com/team/", true],
  ["https://example.com/skills.zip?signature=x", true],
  ["git+ssh://git:secret@example.com/team/skills.git", true],
  ["git+ssh://git@example.com/team/skills.git", false],
  ["git@example.com:team/skills.git", false],
  ["postgres://ada@db/skills", false],
])("a lock file may not contain the source %s: %s", (source, isRefused) => {
  const locking = () => sourceForLock(source, "/project", "/project");
  if (isRefused) expect(locking).toThrow("must not be stored in the lock file");
  else expect(locking()).toBe(source);
});

test("a skill of several sources is locked from none of them, and the other skills are locked (INSTALL-13)", async () => {
  const { cli, project } = await cliFixture({ ...files, "own/pdf/SKILL.md": skill("pdf", "Own.") });
  const { code, err } = await cli(["lock", "../team", "../own"]);
  expect(code).toBe(1);
  expect(err).toContain(
    'The skill "pdf" is in ../team and in ../own, and a lock file has one source for each skill.',
  );
  expect(await lockedNames(project)).toEqual(["csv"]);
  await cli(["lock", "../own"]);
  await cli(["lock", "../team", "../own"]);
  const { skills } = JSON.parse(await readFile(join(project, LOCK), "utf8"));
  expect(skills.pdf).toMatchObject({ source: "../own" });
  expect((await cli(["lock", "../team", "../team"])).code).toBe(0);
});
