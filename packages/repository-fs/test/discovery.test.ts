import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type SkillSeed, skillMarkdown } from "@skillwright/contracts";
import { SkillError, type SkillListing } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

describe("where skills are searched", () => {
  test("directories are searched six levels deep, and reaching the limit is reported", async () => {
    await writeSkills(root, { ...at("1/2/3/4/5/six"), ...at("1/2/3/4/5/6/seven") });
    const listing = await fsRepository({ root }).list();
    expect(paths(listing)).toEqual(["1/2/3/4/5/six"]);
    expect(codes(listing)).toEqual(["scan.depth"]);
  });

  test("a configured depth is used", async () => {
    await writeSkills(root, { ...at("1/2/two"), ...at("one") });
    expect(paths(await fsRepository({ root, limits: { depth: 1 } }).list())).toEqual(["one"]);
  });

  test("hidden directories and node_modules are not searched; hidden files still belong to a skill around them", async () => {
    await writeSkills(root, {
      ...at(".hidden/a"),
      ...at("node_modules/b"),
      ...at("c"),
      ...at("c/node_modules/d"),
      ...at("c/.hidden/e"),
    });
    const repository = fsRepository({ root });
    expect(paths(await repository.list())).toEqual(["c"]);
    expect((await repository.load("c")).manifest.files.map(({ path }) => path)).toEqual([
      ".hidden/e/SKILL.md",
      "SKILL.md",
    ]);
  });

  test("the number of searched directories without a skill is limited, and reaching the limit is reported", async () => {
    for (let index = 0; index < 20; index++) await mkdir(join(root, `empty-${index}`));
    await writeSkills(root, { ...at("a/skill"), ...at("z") });
    const listing = await fsRepository({ root, limits: { directories: 5 } }).list();
    expect(codes(listing)).toEqual(["scan.directories"]);
    expect(paths(listing)).toContain("z");
  });

  test("any number of skills does not reach that limit", async () => {
    await writeSkills(
      root,
      Object.assign({}, ...Array.from({ length: 30 }, (_, index) => at(`skill-${index}`))),
    );
    const listing = await fsRepository({ root, limits: { directories: 5 } }).list();
    expect([listing.skills.length, codes(listing)]).toEqual([30, []]);
  });

  test("a missing root is an empty listing with a diagnostic, until it exists", async () => {
    const repository = fsRepository({ root: join(root, "later") });
    const listing = await repository.list();
    expect([listing.skills, codes(listing)]).toEqual([[], ["repository.missing"]]);
    await writeSkills(join(root, "later"), at("one"));
    expect(paths(await repository.list())).toEqual(["one"]);
  });

  test("a root that is a file is an error, not an empty repository", async () => {
    await writeFile(join(root, "file"), "x");
    const error = await fsRepository({ root: join(root, "file") })
      .list()
      .catch((reason: unknown) => reason);
    expect(SkillError.is(error, "CONFIG_INVALID")).toBe(true);
  });

  test("the root itself may be a skill", async () => {
    await writeSkills(root, { solo: at("solo")["solo"] ?? {}, ...at("solo/inner") });
    const repository = fsRepository({ root: join(root, "solo") });
    expect(paths(await repository.list())).toEqual(["inner", "."]);
    expect((await repository.load("solo")).manifest.files.map(({ path }) => path)).toContain(
      "inner/SKILL.md",
    );
    await expect(repository.delete("solo")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });

  test("a file skill.md does not count as SKILL.md, and that is reported", async () => {
    await mkdir(join(root, "low"));
    await writeFile(join(root, "low/skill.md"), skillMarkdown("low"));
    const listing = await fsRepository({ root }).list();
    expect([paths(listing), codes(listing)]).toEqual([[], ["skill-file.name"]]);
  });
});

describe("links between directories", () => {
  test("LIST-06: the root may be a link, even one that changes its target", async () => {
    await writeSkills(join(root, "first"), at("one"));
    await writeSkills(join(root, "second"), at("two"));
    await symlink("first", join(root, "current"));
    const repository = fsRepository({ root: join(root, "current") });
    expect(paths(await repository.list())).toEqual(["one"]);
    await symlink("second", join(root, "next"));
    await rename(join(root, "next"), join(root, "current"));
    expect(paths(await repository.list())).toEqual(["two"]);
  });

  test("a link to a directory inside the root counts once, at the directory's own path", async () => {
    await writeSkills(root, at("z/real"));
    await symlink("z/real", join(root, "alias"));
    const listing = await fsRepository({ root }).list();
    expect([paths(listing), codes(listing)]).toEqual([["z/real"], ["link.duplicate"]]);
  });

  test("a link to a directory that is not searched otherwise lists it at the link's path", async () => {
    await writeSkills(root, at(".agents/skills/pdf"));
    await mkdir(join(root, "skills"));
    await symlink("../.agents/skills/pdf", join(root, "skills/pdf"));
    const repository = fsRepository({ root });
    expect(paths(await repository.list())).toEqual(["skills/pdf"]);
    expect((await repository.load("pdf")).manifest.files).toHaveLength(1);
  });

  test("a link that leaves the root is not followed, and that is reported", async () => {
    await writeSkills(join(root, "outside"), at("secret"));
    await mkdir(join(root, "inside"));
    await symlink("../outside/secret", join(root, "inside/secret"));
    const listing = await fsRepository({ root: join(root, "inside") }).list();
    expect([paths(listing), codes(listing)]).toEqual([[], ["link.leaves-repository"]]);
  });

  test("cycles and dangling links do not prolong the search", async () => {
    await writeSkills(root, at("group/one"));
    await symlink("..", join(root, "group/up"));
    await symlink("nowhere", join(root, "broken"));
    await symlink("self", join(root, "self"));
    const listing = await fsRepository({ root }).list();
    expect(paths(listing)).toEqual(["group/one"]);
    expect(codes(listing).sort()).toEqual(["link.broken", "link.broken", "link.duplicate"]);
  });

  test("a directory that vanished is missing from the next listing, and the others are not", async () => {
    await writeSkills(root, { ...at("group/one"), ...at("two") });
    const repository = fsRepository({ root });
    await repository.list();
    await rm(join(root, "group"), { recursive: true });
    expect(paths(await repository.list())).toEqual(["two"]);
  });
});

function at(path: string): SkillSeed {
  return { [path]: { "SKILL.md": skillMarkdown(path.slice(path.lastIndexOf("/") + 1)) } };
}

function paths({ skills }: SkillListing): string[] {
  return skills.map(({ path }) => path);
}

function codes({ diagnostics }: SkillListing): string[] {
  return diagnostics.map(({ code }) => code);
}
