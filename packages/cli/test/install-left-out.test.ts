import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type CliFixture, cliFixture, skill } from "./cli-fixture.js";

test.each(["folder", "git"])(
  "install and update refuse a skill with a link out of it, from a %s as pack and publish do (INSTALL-10)",
  async (kind) => {
    const fixture = await cliFixture({
      "team/skills/rep/SKILL.md": skill("rep", "Makes reports.", "Run sh scripts/run.sh."),
      "team/shared/run.sh": "echo shared\n",
    });
    const { cli, project } = fixture;
    await mkdir(join(project, "../team/skills/rep/scripts"));
    await symlink("../../../shared/run.sh", join(project, "../team/skills/rep/scripts/run.sh"));
    const source = kind === "git" ? committed(fixture) : "../team/skills";
    const refused = await cli(["install", source]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("SEC-05");
    expect(refused.err).toContain('"scripts/run.sh" is a link');
    expect(refused.err).toContain("use --allow-errors to install it anyway");
    for (const command of [["pack"], ["publish", "--to", "./shared"]]) {
      const [name = "", ...flags] = command;
      expect((await cli([name, "../team/skills/rep", ...flags])).out).toContain("SEC-05");
    }
    expect(await readdir(project)).not.toContain("skills.lock.json");
    expect((await cli(["install", source, "--allow-errors"])).code).toBe(0);
    expect(await cli(["install", "--frozen", "--to", "elsewhere"])).toMatchObject({ code: 1 });
  },
);

test("install refuses a skill that contains a Git submodule (INSTALL-10)", async () => {
  const fixture = await cliFixture({
    "lib/a.sh": "echo lib\n",
    "team/skills/sub/SKILL.md": skill("sub"),
  });
  const { cli, project } = fixture;
  committed(fixture, "lib");
  const root = join(project, "..");
  git(join(root, "team"), "init", "-q", "-b", "main");
  git(
    join(root, "team"),
    ...["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", join(root, "lib")],
    "skills/sub/vendor",
  );
  const { code, err } = await cli(["install", committed(fixture)]);
  expect(code).toBe(1);
  expect(err).toContain("A submodule is not fetched");
  expect(err).toContain("sub/vendor");
});

test.each(["folder", "git"])(
  "a %s whose skills are in a hidden folder is refused with that folder",
  async (kind) => {
    const fixture = await cliFixture({ "team/.agents/skills/one/SKILL.md": skill("one") });
    const { cli } = fixture;
    const source = kind === "git" ? committed(fixture) : "../team";
    const remedy = kind === "git" ? `${source}#:.agents/skills` : "../team/.agents/skills";
    const { code, err } = await cli(["install", source]);
    expect(code).toBe(1);
    expect(err).toContain("has no usable skill. There are skills in .agents/skills.");
    expect(err).toContain(`Give that folder: ${remedy}`);
    expect(await cli(["install", remedy])).toMatchObject({ code: 0 });
  },
);

/** Returns the source's address. */
function committed({ project, home }: CliFixture, folder = "team"): string {
  vi.stubEnv("XDG_CACHE_HOME", join(home, "cache"));
  const directory = join(project, "..", folder);
  git(directory, "init", "-q", "-b", "main");
  git(directory, "add", "-A");
  git(directory, "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "change");
  return `git+file://${directory}`;
}

function git(directory: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: directory });
}
