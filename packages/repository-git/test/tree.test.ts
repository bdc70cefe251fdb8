import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type SkillSeed, skillMarkdown } from "@skillwright/contracts";
import { readText, SKILL_LIMITS, type SkillListing } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type GitRepositoryOptions, gitRepository } from "../src/index.js";
import { type Origin, origin } from "./git-subject.js";

let place: Origin;
beforeEach(async () => {
  place = await origin({
    demo: { "SKILL.md": skillMarkdown("demo"), "scripts/run.sh": { content: "run", executable: true } },
    neighbour: { "SKILL.md": skillMarkdown("neighbour") },
  });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await place.dispose();
});

describe("files of a skill", () => {
  test("links are left out and reported, wherever they lead", async () => {
    await symlink("scripts/run.sh", join(place.directory, "demo/latest.sh"));
    await symlink("/etc/passwd", join(place.directory, "demo/passwd"));
    await symlink("../neighbour", join(place.directory, "demo/stolen"));
    save();
    expect(await files()).toEqual(["SKILL.md", "scripts/run.sh"]);
    expect(await told()).toEqual(["file.link latest.sh", "file.link passwd", "file.link stolen"]);
    for (const path of ["latest.sh", "passwd", "stolen", "stolen/SKILL.md"])
      await expect(opened().open("demo", path)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  test("submodules are left out and reported, and never fetched", async () => {
    place.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},demo/part`);
    place.git("update-index", "--add", "--cacheinfo", `160000,${"2".repeat(40)},other`);
    await writeFile(
      join(place.directory, ".gitmodules"),
      '[submodule "x"]\n\tpath = demo/part\n\turl = ext::sh -c false\n',
    );
    place.git("add", ".gitmodules");
    place.git("commit", "--quiet", "--message", "x");
    expect(await files()).toEqual(["SKILL.md", "scripts/run.sh"]);
    expect(await told()).toEqual(["file.submodule part"]);
    expect(codes(await opened().list())).toEqual(["scan.submodule other"]);
  });

  test("names that are not UTF-8, or not plain, are left out and reported; U+FFFD is a character like others", async () => {
    await mkdir(join(place.directory, "demo/new\nline"));
    for (const name of ["two\nlines", "back\\slash", "odd-\ufffd", "new\nline/a", "new\nline/b"])
      await writeFile(join(place.directory, "demo", name), "x");
    await writeFile(Buffer.concat([Buffer.from(join(place.directory, "demo/bad-")), Buffer.of(0xff)]), "x");
    save();
    expect(await files()).toEqual(["SKILL.md", "odd-\ufffd", "scripts/run.sh"]);
    expect(await told()).toEqual([
      "file.name back\\slash",
      "file.name bad-\ufffd",
      "file.name new\\u{a}line",
      "file.name two\\u{a}lines",
    ]);
  });

  test("metadata of version control, names that leave the skill and duplicate names are left out and reported", async () => {
    const skill = place.git("hash-object", "-w", "demo/SKILL.md");
    const inner = tree(["100644", "blob", skill, "config"]);
    const demo = tree(
      ["100644", "blob", skill, "SKILL.md"],
      ["100644", "blob", skill, "a"],
      ["100644", "blob", skill, "a"],
      ["40000", "tree", inner, "a"],
      ["40000", "tree", inner, ".git"],
      ["40000", "tree", inner, ".."],
      ["100644", "blob", skill, "up/../../x"],
    );
    const top = tree(["40000", "tree", demo, "demo"], ["40000", "tree", demo, ".."]);
    place.git("update-ref", "refs/heads/main", place.git("commit-tree", "-m", "x", top));
    expect(await files()).toEqual(["SKILL.md", "a"]);
    expect(await told()).toEqual([
      "file.name ..",
      "file.name up/..",
      "file.twice a",
      "file.twice a/config",
      "file.version-control .git",
    ]);
    for (const path of [".git/config", "a/config"])
      await expect(opened().open("demo", path)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  test("nothing in the repository is executed, neither filter nor hook nor monitor; files are read as committed", async () => {
    const proof = join(place.root, "proof");
    const settings = join(place.root, "settings");
    const hooks = join(place.root, "hooks");
    const touch = `sh -c 'touch \\"${proof}\\"; cat'`;
    await mkdir(hooks);
    for (const hook of ["reference-transaction", "post-checkout", "post-merge", "pre-auto-gc"])
      await writeFile(join(hooks, hook), `#!/bin/sh\ntouch '${proof}'\n`, { mode: 0o755 });
    await writeFile(
      settings,
      `[filter "evil"]\n\tsmudge = ${touch}\n\tclean = ${touch}\n\tprocess = ${touch}\n[diff "evil"]\n\ttextconv = ${touch}\n` +
        `[core]\n\thooksPath = ${hooks}\n\tfsmonitor = ${proof}-monitor\n\tautocrlf = true\n`,
    );
    vi.stubEnv("GIT_CONFIG_GLOBAL", settings);
    await writeFile(join(place.directory, ".gitattributes"), "* text eol=crlf filter=evil diff=evil ident\n");
    await writeFile(join(place.directory, "demo/text.txt"), "$Id$\none\ntwo\n");
    save();
    expect(await files()).toContain("text.txt");
    expect(await readText(await opened().open("demo", "text.txt"), 100)).toBe("$Id$\none\ntwo\n");
    expect(existsSync(proof)).toBe(false);
  });
});

describe("where skills are searched", () => {
  test("at any depth up to six, not in hidden folders, whose files still belong to a skill, nor in node_modules, whose files do not", async () => {
    await place.commit({
      ...at("1/2/3/4/5/six"),
      ...at("1/2/3/4/5/6/seven"),
      ...at(".hidden/a"),
      ...at("node_modules/b"),
      ...at("c"),
      ...at("c/node_modules/d"),
    });
    const listing = await opened().list();
    expect(paths(listing)).toEqual(["c", "1/2/3/4/5/six"]);
    expect(codes(listing)).toEqual(["scan.hidden .hidden", "scan.depth 1/2/3/4/5/6/seven"]);
    expect(await files("c")).toEqual(["SKILL.md"]);
    expect(paths(await opened({ limits: { depth: 1 } }).list())).toEqual(["c"]);
  });

  test("below the given path, which may be missing", async () => {
    await place.commit({ ...at("team/skills/one"), ...at("elsewhere/two") });
    expect(paths(await opened({ path: "team/skills" }).list())).toEqual(["one"]);
    for (const path of ["nowhere", "team/skills/one/SKILL.md", "team/skill*"])
      expect(codes(await opened({ path }).list())).toEqual([`repository.missing ${path}`]);
  });

  test("the top directory itself may be a skill, with others in it", async () => {
    await place.commit({
      ".": { "SKILL.md": "---\ndescription: Nameless.\n---\n", "a.txt": "a" },
      ...at("inner"),
    });
    expect(paths(await opened().list())).toEqual(["inner", "."]);
    expect(await files("origin")).toEqual(["SKILL.md", "a.txt", "inner/SKILL.md"]);
    expect((await opened({ path: "inner" }).load("inner")).path).toBe(".");
  });

  test("a link or a folder named SKILL.md, or too large a file, makes a skill broken and hides no other", async () => {
    await mkdir(join(place.directory, "linked"));
    await symlink("../demo/SKILL.md", join(place.directory, "linked/SKILL.md"));
    await mkdir(join(place.directory, "nested/SKILL.md"), { recursive: true });
    await writeFile(join(place.directory, "nested/SKILL.md/a.txt"), "x");
    await mkdir(join(place.directory, "exact"));
    await writeFile(
      join(place.directory, "exact/SKILL.md"),
      skillMarkdown("exact").padEnd(SKILL_LIMITS.skillFileBytes),
    );
    await mkdir(join(place.directory, "large"));
    await writeFile(
      join(place.directory, "large/SKILL.md"),
      skillMarkdown("large").padEnd(SKILL_LIMITS.skillFileBytes + 1),
    );
    save();
    const { skills, broken } = await opened().list();
    expect(skills.map(({ name }) => name)).toEqual(["demo", "exact", "neighbour"]);
    expect((await opened().load("exact")).name).toBe("exact");
    expect(broken.map(({ path, diagnostics }) => `${path} ${diagnostics[0]?.code}`)).toEqual([
      "large skill-file.too-large",
      "linked skill-file.not-regular",
      "nested skill-file.not-regular",
    ]);
    for (const { path } of broken)
      await expect(opened().load(path)).rejects.toMatchObject({ code: "SKILL_INVALID" });
  });

  test("links to folders, a file skill.md and unusable names of folders are reported", async () => {
    await symlink("demo", join(place.directory, "alias"));
    await mkdir(join(place.directory, "low"));
    await writeFile(join(place.directory, "low/skill.md"), skillMarkdown("low"));
    await mkdir(join(place.directory, "new\nline"));
    await writeFile(join(place.directory, "new\nline/SKILL.md"), skillMarkdown("low"));
    save();
    const listing = await opened().list();
    expect(paths(listing)).toEqual(["demo", "neighbour"]);
    expect(codes(listing)).toEqual([
      "scan.link alias",
      "skill-file.name low/skill.md",
      "scan.name new\\u{a}line",
    ]);
  });
});

describe("limits", () => {
  test("a skill with too many files or bytes is broken, which is detected without reading the bytes", async () => {
    const many = Array.from({ length: SKILL_LIMITS.files }, (_, index) => [`${index}.txt`, ""]);
    const half = new Uint8Array(SKILL_LIMITS.bytes / 2);
    await place.commit({
      ...at("good"),
      many: { "SKILL.md": skillMarkdown("many"), ...Object.fromEntries(many) },
      heavy: { "SKILL.md": skillMarkdown("heavy"), "a.bin": half, "b.bin": half },
    });
    const { skills, broken } = await opened().list();
    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    expect(broken.map(({ path, diagnostics }) => `${path} ${diagnostics[0]?.code}`)).toEqual([
      "heavy skill.too-large",
      "many skill.too-many-files",
    ]);
  });

  test("a tree of a few kilobytes that lists a billion files ends the search at its limit, and this is reported", async () => {
    let layer = tree(
      ...Array.from({ length: 10 }, (_, index) => ["100644", "blob", empty(), `f${index}`] as const),
    );
    for (let level = 0; level < 8; level++) {
      const inner = layer;
      layer = tree(
        ...Array.from({ length: 10 }, (_, index) => ["40000", "tree", inner, `d${index}`] as const),
      );
    }
    const skill = tree(["100644", "blob", place.git("rev-parse", "HEAD:demo/SKILL.md"), "SKILL.md"]);
    const top = tree(["40000", "tree", skill, "a-skill"], ["40000", "tree", layer, "bomb"]);
    place.git("update-ref", "refs/heads/main", place.git("commit-tree", "-m", "x", top));
    const listing = await opened({ limits: { entries: 5000 } }).list();
    expect([paths(listing), codes(listing)]).toEqual([["a-skill"], ["scan.entries ."]]);
  });
});

function opened(options: Partial<GitRepositoryOptions> = {}): ReturnType<typeof gitRepository> {
  return gitRepository({ url: place.directory, cache: place.cache, allowLocal: true, ...options });
}

/** Commits the changes in the work tree. */
function save(): void {
  place.git("add", "--all", "--force");
  place.git("commit", "--quiet", "--message", "change");
}

/** A tree that git itself would not create. */
function tree(
  ...entries: readonly (readonly [mode: string, type: string, id: string, name: string])[]
): string {
  const parts = entries.flatMap(([mode, , id, name]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(id, "hex"),
  ]);
  return place.store("tree", Buffer.concat(parts));
}

function empty(): string {
  return place.store("blob", Buffer.alloc(0));
}

async function files(name = "demo"): Promise<string[]> {
  return (await opened().load(name)).manifest.files.map(({ path }) => path);
}

async function told(): Promise<string[]> {
  const { skills } = await opened().list();
  const demo = skills.find(({ name }) => name === "demo");
  return (demo?.diagnostics ?? []).map(({ code, path }) => `${code} ${path}`).sort();
}

function at(path: string): SkillSeed {
  return { [path]: { "SKILL.md": skillMarkdown(path.slice(path.lastIndexOf("/") + 1)) } };
}

function paths({ skills }: SkillListing): string[] {
  return skills.map(({ path }) => path);
}

function codes({ diagnostics }: SkillListing): string[] {
  return diagnostics.map(({ code, path }) => `${code} ${path}`);
}
