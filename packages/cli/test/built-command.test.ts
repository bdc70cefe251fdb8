import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { cliFixture, skill } from "./cli-fixture.js";

const built = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const VALID = /^✔ 1 skill valid \(\d+ ms\)\n$/;

test("the same command line gives the same output in process", async () => {
  const { cli } = await cliFixture({
    "project/a/SKILL.md": skill("a", "Reads tables. Use it when one is given."),
  });
  expect(await cli(["validate"])).toEqual({ code: 0, out: expect.stringMatching(VALID), err: "" });
});

if (hasAll("packages/cli/dist"))
  test("the built command prints its output and ends with its exit code", async () => {
    const { project } = await cliFixture({
      "project/a/SKILL.md": skill("a", "Reads tables. Use it when one is given."),
      "project/b/SKILL.md": "none",
    });
    const run = (...argv: string[]) =>
      promisify(execFile)(process.execPath, [built, ...argv], { cwd: project }).catch((error) => error);
    expect((await run("validate", "a")).stdout).toMatch(VALID);
    const failed = await run("validate");
    expect(failed).toMatchObject({ code: 1, stderr: "" });
    expect(failed.stdout).toContain("frontmatter.missing");
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

if (hasAll("packages/cli/dist"))
  test.each([
    ["pack", "../locked/a"],
    ["plugin", "validate", "../locked/plugin"],
    ["unpack", "../locked/a.skill"],
    ["validate", "../locked/a"],
  ])(
    "the built command tells that it may not look at a place, not that nothing is there: %s %s",
    async (...argv) => {
      const { project, write } = await cliFixture();
      await write({ "locked/a/SKILL.md": skill("a") });
      const { code, output } = await ranWithout(join(project, "../locked"), project, argv);
      expect(code).toBe(1);
      expect(output).toContain("EACCES: permission denied");
      expect(output).not.toContain("not exist");
    },
  );

if (hasAll("packages/cli/dist"))
  test("the built command lists the other skills where one of the usual places may not be looked at", async () => {
    const { project, home, write } = await cliFixture({ "home/.claude/skills/a/SKILL.md": skill("a") });
    await write({ "project/.agents/skills/b/SKILL.md": skill("b") });
    const { code, output } = await ranWithout(join(home, ".claude"), project, ["list"]);
    expect(code).toBe(0);
    expect(output).toContain("Does b.");
    expect(output).toMatch(/skills of "home ~\/.claude\/skills" are missing.*EACCES/);
  });

if (hasAll("packages/cli/dist"))
  test("the built command lists the other skills where the folder of the plugins may not be looked at", async () => {
    const { project, home, write } = await cliFixture({
      "home/.skillwright/plugins/p/skills/a/SKILL.md": skill("a"),
    });
    await write({ "project/.agents/skills/b/SKILL.md": skill("b") });
    const { code, output } = await ranWithout(join(home, ".skillwright/plugins"), project, ["list"]);
    expect(code).toBe(0);
    expect(output).toContain("Does b.");
    expect(output).toMatch(/are missing.*EACCES/);
  });

if (hasAll("packages/cli/dist"))
  test("the built command names the folder of a skill that it may not look into", async () => {
    const { project, write } = await cliFixture({ "project/skills/a/SKILL.md": skill("a") });
    await write({ "project/skills/a/references/one.md": "" });
    const folder = join(project, "skills/a/references");
    const { code, output } = await ranWithout(folder, project, ["validate", "skills/*"]);
    expect(code).toBe(1);
    expect(output).toMatch(/EACCES: permission denied.*references/);
    const one = await ranWithout(folder, project, ["validate", "skills/a/SKILL.md"]);
    expect(one.output).toMatch(/"references\/" was not checked: unreadable/);
  });

if (hasAll("packages/cli/dist"))
  test("the built command validates the other skills if it may not read a folder, and names that folder", async () => {
    const { project, write } = await cliFixture({ "project/skills/u/SKILL.md": skill("u") });
    await write({ "project/skills/b/SKILL.md": "none", "project/skills/d/SKILL.md/file": "" });
    const { code, output } = await ranWithout(join(project, "skills/u"), project, ["validate", "skills"]);
    expect(code).toBe(1);
    expect(output).toContain("frontmatter.missing");
    expect(output).toMatch(/cannot be read: EACCES: permission denied.*skills\/u/);
    expect(output).toContain("it is not a regular file");
  });

if (hasAll("packages/cli/dist"))
  test("the built command passes on its standard input, and ends even if the input is not read", async () => {
    const { project } = await cliFixture({ "project/a/SKILL.md": skill("a") });
    const run = (input: "pipe" | "open", command: string) =>
      new Promise<string>((resolve, reject) => {
        const argv = [built, "run", "./a", "--isolation", "none", command];
        const child = execFile(process.execPath, argv, { cwd: project }, (error, stdout) =>
          error ? reject(error) : resolve(stdout),
        );
        if (input === "pipe") child.stdin?.end("given\n");
      });
    expect(await run("pipe", "cat")).toBe("given\n");
    expect(await run("open", "echo done")).toBe("done\n");
  });

if (hasAll("packages/cli/dist"))
  test.each([
    ["the user's cache directory", { XDG_CACHE_HOME: "" }, "home/.cache/skillwright/compiled"],
    ["XDG_CACHE_HOME", { XDG_CACHE_HOME: "given" }, "given/skillwright/compiled"],
    ["NODE_COMPILE_CACHE", { XDG_CACHE_HOME: "given", NODE_COMPILE_CACHE: "own" }, "own"],
  ])("the built command keeps compiled code in %s", async (_place, given, expected) => {
    const { project } = await cliFixture({});
    const under = (place: string) => place && join(project, place);
    const env = Object.fromEntries(Object.entries(given).map(([name, place]) => [name, under(place)]));
    await list(project, { ...env, HOME: under("home") });
    expect(await readdir(under(expected))).not.toEqual([]);
    const others = ["home/.cache", "given", "own"].filter((place) => !expected.startsWith(place));
    expect(others.filter((place) => existsSync(under(place)))).toEqual([]);
  });

if (hasAll("packages/cli/dist"))
  test.each(["", "relative"])(
    "the built command keeps no compiled code in the working directory, with HOME=%j",
    async (home) => {
      const { project } = await cliFixture({});
      await list(project, { XDG_CACHE_HOME: "", HOME: home });
      expect(await readdir(project)).toEqual([]);
    },
  );

if (hasAll("packages/cli/dist"))
  test.each(["stdout", "stderr"] as const)(
    "the built command does its work to the end after the reader of its %s has closed the pipe (RUN-16)",
    async (stream) => {
      const { project } = await cliFixture({ "project/a/SKILL.md": skill("a") });
      const command = "seq 1 20000; seq 1 20000 >&2; echo 2 > out/x; exit 3";
      const argv = [built, "run", "./a", "--isolation", "none", "--out", "made", command];
      const child = spawn(process.execPath, argv, { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
      const other = stream === "stdout" ? child.stderr : child.stdout;
      other.resume();
      child[stream].destroy();
      const [code] = await once(child, "exit");
      expect(code).toBe(3);
      expect(await readdir(join(project, "made"))).toEqual(["x"]);
    },
  );

if (hasAll("packages/cli/dist"))
  test("the built command lists the skills of another folder after its working directory was removed", async () => {
    const { project, write } = await cliFixture({ "project/gone/.keep": "" });
    await write({ "team/b/SKILL.md": skill("b") });
    const command = 'rm -r ../gone; exec "$0" "$1" list --json --skills "$2"';
    const argv = ["-c", command, process.execPath, built, join(project, "../team")];
    const { stdout } = await promisify(execFile)("sh", argv, { cwd: join(project, "gone") });
    expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, skills: [{ name: "b" }] });
  });

if (hasAll("packages/cli/dist"))
  test("the built command works without a directory for compiled code", async () => {
    const { project } = await cliFixture({});
    const file = join(project, "file");
    await mkdir(project, { recursive: true });
    await writeFile(file, "");
    await list(project, { XDG_CACHE_HOME: file, HOME: file });
  });

/** Lists the skills of a project without any. Expects nothing on standard error. */
async function list(project: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [built, "list"], {
    cwd: project,
    env: { PATH: process.env["PATH"], ...env },
  });
  expect(stdout).toContain("0 skills");
  expect(stderr).toBe("");
}

/** Runs the command where it may not look into a folder. Root may look everywhere, so it is not run by root. */
async function ranWithout(folder: string, project: string, argv: readonly string[]) {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const options = { cwd: project, env: { ...process.env, HOME: join(project, "../home") }, ...user };
  await chmod(join(project, ".."), 0o755);
  await chmod(folder, 0o000);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [built, ...argv], options);
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  } finally {
    await chmod(folder, 0o755);
  }
}
