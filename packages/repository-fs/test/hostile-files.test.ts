import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { readText, SKILL_LIMITS } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => {
  ({ root, dispose } = await temporaryDirectory());
  await writeSkills(root, {
    demo: { "SKILL.md": skillMarkdown("demo"), "scripts/run.sh": "run" },
    neighbour: { "SKILL.md": skillMarkdown("neighbour") },
  });
});
afterEach(async () => await dispose());

describe("files of a skill", () => {
  test("links inside the skill are files of it, links that leave it are left out with a diagnostic", async () => {
    await symlink("scripts/run.sh", join(root, "demo/latest.sh"));
    await symlink("scripts", join(root, "demo/tools"));
    await symlink("../neighbour/SKILL.md", join(root, "demo/stolen.md"));
    await symlink("../neighbour", join(root, "demo/stolen"));
    await symlink("/etc/passwd", join(root, "demo/passwd"));
    const repository = fsRepository({ root });
    expect(await files(repository)).toEqual(["SKILL.md", "latest.sh", "scripts/run.sh", "tools/run.sh"]);
    expect(await told(repository)).toEqual(["file.link passwd", "file.link stolen", "file.link stolen.md"]);
    expect(await readText(await repository.open("demo", "tools/run.sh"), 100)).toBe("run");
    for (const path of ["passwd", "stolen.md", "stolen/SKILL.md"])
      await expect(repository.open("demo", path)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  test("cyclic links are left out with a diagnostic", async () => {
    await mkdir(join(root, "demo/a"));
    await mkdir(join(root, "demo/b"));
    await symlink("../b", join(root, "demo/a/to-b"));
    await symlink("../a", join(root, "demo/b/to-a"));
    await symlink("..", join(root, "demo/scripts/up"));
    const repository = fsRepository({ root });
    expect(await files(repository)).toEqual(["SKILL.md", "scripts/run.sh"]);
    expect(await told(repository)).toEqual([
      "file.link a/to-b/to-a",
      "file.link b/to-a/to-b",
      "file.link scripts/up",
    ]);
  });

  test("pipes and sockets are never opened, and are reported", async () => {
    makePipe(join(root, "demo/pipe"));
    const server = createServer().listen(join(root, "demo/socket"));
    const repository = fsRepository({ root });
    expect(await files(repository)).toEqual(["SKILL.md", "scripts/run.sh"]);
    expect(await told(repository)).toEqual(["file.special pipe", "file.special socket"]);
    for (const path of ["pipe", "socket"])
      await expect(repository.open("demo", path)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    server.close();
  });

  test("names that are not UTF-8, or not plain, are left out with a diagnostic; U+FFFD is an ordinary character", async () => {
    await writeFile(Buffer.concat([Buffer.from(join(root, "demo/bad-")), Buffer.of(0xff)]), "x");
    await writeFile(join(root, "demo/two\nlines"), "x");
    await writeFile(join(root, "demo/back\\slash"), "x");
    await writeFile(join(root, "demo/odd-\ufffd"), "x");
    const repository = fsRepository({ root });
    expect(await files(repository)).toEqual(["SKILL.md", "odd-\ufffd", "scripts/run.sh"]);
    expect(await told(repository)).toEqual([
      "file.name back\\slash",
      "file.name bad-\ufffd",
      "file.name two\\u{a}lines",
    ]);
  });

  test("version control records do not belong to a skill, and that is reported", async () => {
    await writeSkills(root, { demo: { ".git/config": "token", ".gitignore": "x" } });
    const repository = fsRepository({ root });
    expect(await files(repository)).toEqual([".gitignore", "SKILL.md", "scripts/run.sh"]);
    expect(await told(repository)).toEqual(["file.version-control .git"]);
    await expect(repository.open("demo", ".git/config")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  test("an upload of a name that listings skip is refused", async () => {
    for (const path of [".git/config", "a/.skillwright-trash-1"]) {
      const upload = [
        { path: "SKILL.md", content: skillMarkdown("new") },
        { path, content: "x" },
      ];
      await expect(fsRepository({ root }).upload(upload)).rejects.toMatchObject({ code: "PATH_INVALID" });
    }
  });
});

describe("a SKILL.md that cannot be used", () => {
  const cases: Record<string, (path: string) => Promise<void> | void> = {
    "skill-file.not-regular (pipe)": (path) => makePipe(path),
    "skill-file.not-regular (folder)": async (path) => void (await mkdir(path)),
    "skill-file.not-regular (link that leaves)": (path) => symlink("../demo/SKILL.md", path),
    "skill-file.not-regular (link to nothing)": (path) => symlink("nothing", path),
    "skill-file.too-large": (path) =>
      writeFile(path, skillMarkdown("x").padEnd(SKILL_LIMITS.skillFileBytes + 1)),
  };
  for (const [name, make] of Object.entries(cases))
    test(`${name} makes its skill broken and hides no other`, async () => {
      await mkdir(join(root, "bad"));
      await make(join(root, "bad/SKILL.md"));
      const repository = fsRepository({ root });
      const { skills, broken } = await repository.list();
      expect(skills.map((skill) => skill.name)).toEqual(["demo", "neighbour"]);
      expect(broken.map(({ path, diagnostics }) => [path, diagnostics[0]?.code])).toEqual([
        ["bad", name.replace(/ .*/, "")],
      ]);
      await expect(repository.load("bad")).rejects.toMatchObject({ code: "SKILL_INVALID" });
    });
});

describe("a skill that exceeds a limit is broken", () => {
  test("more files than the limit", async () => {
    const many = Array.from({ length: SKILL_LIMITS.files }, (_, index) => [`${index}.txt`, ""]);
    await writeSkills(root, { demo: Object.fromEntries(many) });
    expect(await brokenCodes()).toEqual(["skill.too-many-files"]);
  });

  test("more bytes than the limit, found without reading them", async () => {
    const { truncate } = await import("node:fs/promises");
    await writeFile(join(root, "demo/sparse"), "");
    await truncate(join(root, "demo/sparse"), 1024 ** 4);
    expect(await brokenCodes()).toEqual(["skill.too-large"]);
    await expect(fsRepository({ root }).load("demo")).rejects.toMatchObject({ code: "SKILL_INVALID" });
  });

  async function brokenCodes(): Promise<unknown[]> {
    const { broken } = await fsRepository({ root }).list();
    return broken.map(({ diagnostics }) => diagnostics[0]?.code);
  }
});

/** Node has no function for this. */
function makePipe(path: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", path]);
}

async function files(repository: ReturnType<typeof fsRepository>): Promise<string[]> {
  return (await repository.load("demo")).manifest.files.map(({ path }) => path);
}

async function told(repository: ReturnType<typeof fsRepository>): Promise<string[]> {
  const { skills } = await repository.list();
  const demo = skills.find(({ name }) => name === "demo");
  return (demo?.diagnostics ?? []).map(({ code, path }) => `${code} ${path}`).sort();
}
