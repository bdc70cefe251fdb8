import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type SkillSeed, skillMarkdown } from "@skillwright/contracts";
import { readText, SKILL_LIMITS, type SkillListing } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

test("a skill in a group is loaded by its path", async () => {
  await writeSkills(root, at("workflow/consistency-checker", "checker"));
  const repository = fsRepository({ root });
  expect((await repository.load("workflow/consistency-checker")).name).toBe("checker");
  expect((await repository.load("checker")).path).toBe("workflow/consistency-checker");
});

test("SKILL-20: a skill whose header has only a description is named after its directory", async () => {
  await writeSkills(root, { summarise: { "SKILL.md": "---\ndescription: Sums up.\n---\nText" } });
  expect((await fsRepository({ root }).list()).skills.map(({ name }) => name)).toEqual(["summarise"]);
  expect((await fsRepository({ root }).load("summarise")).body).toBe("Text");
});

test("SKILL-21: one without a description is broken and reported, and its siblings are listed", async () => {
  await writeSkills(root, { bad: { "SKILL.md": "---\nname: bad\n---\nText" }, ...at("good") });
  const { skills, broken } = await fsRepository({ root }).list();
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(broken).toMatchObject([{ path: "bad", diagnostics: [{ code: "description.missing" }] }]);
});

test("LIST-01: with a depth of 1, not by default, a skill two levels down is not found, and that is reported", async () => {
  await writeSkills(root, { ...at("a/b"), ...at("c") });
  const listing = await fsRepository({ root, limits: { depth: 1 } }).list();
  expect([paths(listing), codes(listing)]).toEqual([["c"], ["scan.depth"]]);
});

test("SKILL-03: an unclosed header is found and reported by its directory's path", async () => {
  await writeSkills(root, { open: { "SKILL.md": "---\nname: open\ndescription: x\n" }, ...at("good") });
  const { skills, broken } = await fsRepository({ root }).list();
  expect([skills.length, broken.map(({ path }) => path)]).toEqual([1, ["open"]]);
});

test("LIST-02: a root that contains SKILL.md is exactly one skill, whatever else its directories contain", async () => {
  await writeSkills(root, {
    ".": { "SKILL.md": skillMarkdown("solo"), "scripts/run.sh": "echo", "docs/a.md": "a" },
  });
  const repository = fsRepository({ root });
  const { skills, broken } = await repository.list();
  expect([skills.map(({ name, path }) => [name, path]), broken]).toEqual([[["solo", "."]], []]);
  expect((await repository.load("solo")).manifest.files).toHaveLength(3);
});

test("LIST-02: skills below a root that is itself a skill are found too", async () => {
  await writeSkills(root, { ".": { "SKILL.md": skillMarkdown("solo") }, ...at("skills/inner") });
  const { skills } = await fsRepository({ root }).list();
  expect(skills.map(({ name }) => name).sort()).toEqual(["inner", "solo"]);
});

test("LIST-03: hidden directories, node_modules and directories without SKILL.md are skipped", async () => {
  await writeSkills(root, { ...at(".hidden/a"), ...at("node_modules/b"), ...at("good") });
  await mkdir(join(root, "empty"));
  expect(paths(await fsRepository({ root }).list())).toEqual(["good"]);
});

test("SKILL-23: a SKILL.md over the given limit is not loaded, with a diagnostic; without one it is", async () => {
  await writeSkills(root, { long: { "SKILL.md": skillMarkdown("long", { body: "x".repeat(500) }) } });
  const limited = fsRepository({ root, limits: { skillFileBytes: 100 } });
  expect((await limited.list()).broken).toMatchObject([
    { path: "long", diagnostics: [{ code: "skill-file.too-large" }] },
  ]);
  await expect(limited.load("long")).rejects.toMatchObject({ code: "SKILL_INVALID" });
  expect((await fsRepository({ root }).load("long")).name).toBe("long");
});

test("a SKILL.md of exactly the limit is listed and loaded, and one byte more is not", async () => {
  const text = (name: string, bytes: number) => ({ "SKILL.md": skillMarkdown(name).padEnd(bytes, "x") });
  for (const limit of [SKILL_LIMITS.skillFileBytes, 500]) {
    const repository = fsRepository({ root, limits: { skillFileBytes: limit } });
    await writeSkills(root, { exact: text("exact", limit), more: text("more", limit + 1) });
    const { skills, broken } = await repository.list();
    expect([skills.map(({ name }) => name), broken.map(({ path }) => path)]).toEqual([["exact"], ["more"]]);
    expect((await repository.load("exact")).manifest.files[0]?.size).toBe(limit);
    await expect(repository.load("more")).rejects.toMatchObject({ code: "SKILL_INVALID" });
  }
});

test("LIST-04: a SKILL.md that is a link to a file outside is not loaded, and is reported", async () => {
  await mkdir(join(root, "skills/evil"), { recursive: true });
  await writeFile(join(root, "secret.md"), skillMarkdown("evil"));
  await symlink("../../secret.md", join(root, "skills/evil/SKILL.md"));
  const { skills, broken } = await fsRepository({ root: join(root, "skills") }).list();
  expect(skills).toEqual([]);
  expect(broken[0]?.diagnostics.map(({ code }) => code)).toContain("skill-file.not-regular");
});

test("LIST-04: a SKILL.md that is a link to another skill's is not loaded, and is reported; that other skill is loaded", async () => {
  await writeSkills(root, at("real"));
  await mkdir(join(root, "alias"));
  await symlink("../real/SKILL.md", join(root, "alias/SKILL.md"));
  const { skills, broken } = await fsRepository({ root }).list();
  expect(skills.map(({ path }) => path)).toEqual(["real"]);
  expect(broken.map(({ path }) => path)).toEqual(["alias"]);
  expect(broken[0]?.diagnostics.map(({ code }) => code)).toContain("skill-file.not-regular");
});

test("LIST-05: a directory that is a link out of the root is not loaded, unless that place is allowed", async () => {
  await writeSkills(join(root, "shared"), at("pdf"));
  await mkdir(join(root, "skills"));
  await symlink("../shared/pdf", join(root, "skills/pdf"));
  const closed = fsRepository({ root: join(root, "skills") });
  expect([paths(await closed.list()), codes(await closed.list())]).toEqual([[], ["link.leaves-repository"]]);
  const allowing = fsRepository({
    root: join(root, "skills"),
    linkRoots: [join(root, "shared"), "/nowhere"],
  });
  expect([paths(await allowing.list()), codes(await allowing.list())]).toEqual([["pdf"], []]);
  expect((await allowing.load("pdf")).name).toBe("pdf");
  await expect(allowing.delete("pdf")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  expect((await closed.list()).skills).toEqual([]);
});

test("SKILL-22: a file that begins with a byte order mark loads", async () => {
  await writeSkills(root, { bom: { "SKILL.md": `\ufeff${skillMarkdown("bom")}` } });
  expect((await fsRepository({ root }).load("bom")).name).toBe("bom");
});

test("LIST-16: the change mark changes with SKILL.md and is the same in another repository; equal content has one digest", async () => {
  await writeSkills(root, at("one"));
  const mark = async () => (await fsRepository({ root }).list()).skills[0]?.changeMark;
  const before = await mark();
  expect(await mark()).toBe(before);
  const digest = async () => (await fsRepository({ root }).load("one")).digest;
  const first = await digest();
  await writeFile(join(root, "one/SKILL.md"), skillMarkdown("one", { description: "Edited." }));
  expect(await mark()).not.toBe(before);
  expect(await digest()).not.toBe(first);
  await writeFile(join(root, "one/SKILL.md"), skillMarkdown("one"));
  expect(await digest()).toBe(first);
});

describe("flat skills", () => {
  const reviewer = { "code_reviewer.md": skillMarkdown("code_reviewer"), "README.md": "# Skills" };

  test("are files in the root, each with the single file SKILL.md, where they are enabled", async () => {
    await writeSkills(root, { ".": reviewer, ...at("folder"), group: { "note.md": skillMarkdown("note") } });
    expect(paths(await fsRepository({ root }).list())).toEqual(["folder"]);
    const repository = fsRepository({ root, flat: true });
    const listing = await repository.list();
    expect([paths(listing), codes(listing)]).toEqual([["code_reviewer.md", "folder"], ["scan.no-header"]]);
    const skill = await repository.load("code_reviewer");
    expect(skill.manifest.files).toMatchObject([{ path: "SKILL.md" }]);
    expect(await readText(await repository.open("code_reviewer.md", "SKILL.md"), 1000)).toContain(
      "Use it well",
    );
    await expect(repository.open("code_reviewer", "README.md")).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
    });
    const read = await repository.reader?.("code_reviewer");
    expect(await readText((await read?.("SKILL.md")) ?? "", 1000)).toContain("Use it well");
  });

  test("are seen when they change, deleted and restored", async () => {
    await writeSkills(root, { ".": reviewer });
    const repository = fsRepository({ root, flat: true });
    const { digest } = await repository.load("code_reviewer");
    await writeFile(join(root, "code_reviewer.md"), skillMarkdown("code_reviewer", { body: "New" }));
    expect((await repository.load("code_reviewer")).body).toBe("New");
    await writeFile(join(root, "code_reviewer.md"), reviewer["code_reviewer.md"]);
    expect(await repository.delete("code_reviewer")).toBe(true);
    expect((await repository.list()).skills).toEqual([]);
    expect(await repository.restore("code_reviewer")).toMatchObject({ path: "code_reviewer.md", digest });
  });

  test("are not replaced by an upload of that name", async () => {
    await writeSkills(root, { ".": reviewer });
    const upload = fsRepository({ root, flat: true }).upload([
      { path: "SKILL.md", content: skillMarkdown("code_reviewer").replaceAll("_", "-") },
    ]);
    expect((await upload).path).toBe("code-reviewer");
  });
});

describe("ignore files", () => {
  test("name directories that are not searched; a nearer one may include a directory again; reported once", async () => {
    await writeSkills(root, { ...at("drafts/a"), ...at("old/b"), ...at("group/old"), ...at("good") });
    await writeFile(join(root, ".skillignore"), "# what is not ready\ndrafts/\nold\n");
    await writeFile(join(root, "group/.skillignore"), "!old\n");
    const listing = await fsRepository({ root }).list();
    expect([paths(listing), codes(listing)]).toEqual([["good", "group/old"], ["scan.ignored"]]);
  });

  test("have the given names, and do not affect the files of a skill", async () => {
    await writeSkills(root, { ...at("a"), ...at("b") });
    await writeFile(join(root, ".gitignore"), "a/\nSKILL.md\n");
    await writeFile(join(root, "b/.gitignore"), "*");
    expect(paths(await fsRepository({ root }).list())).toEqual(["a", "b"]);
    const repository = fsRepository({ root, ignoreFiles: [".gitignore"] });
    expect(paths(await repository.list())).toEqual(["b"]);
    expect((await repository.load("b")).manifest.files).toHaveLength(2);
  });
});

test.each(["depth", "directories", "skillFileBytes"])(
  "the limit %s is refused where it is not a number",
  (limit) => {
    expect(() => fsRepository({ root, limits: { [limit]: -1 } })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  },
);

function at(path: string, name = path.slice(path.lastIndexOf("/") + 1)): SkillSeed {
  return { [path]: { "SKILL.md": skillMarkdown(name) } };
}

function paths({ skills }: SkillListing): string[] {
  return skills.map(({ path }) => path);
}

function codes({ diagnostics }: SkillListing): string[] {
  return diagnostics.map(({ code }) => code);
}
