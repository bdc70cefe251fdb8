import type { SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

const own = () => memoryRepository({ skills: skillFiles("alpha", "shared") });
const team = () => memoryRepository({ skills: skillFiles("shared", "beta") });

describe("one name in two sources", () => {
  test("the first source wins and the other copy is reported (LIST-07)", async () => {
    const snapshot = await skillBox({ own: own(), team: team() }).snapshot();
    expect(snapshot.skills.map(({ name, source }) => `${name} of ${source}`)).toEqual([
      "alpha of own",
      "beta of team",
      "shared of own",
    ]);
    expect(snapshot.diagnostics).toMatchObject([
      { code: "skill.shadowed", severity: "warning", path: "shared" },
    ]);
    expect(snapshot.diagnostics[0]?.message).toContain('"shared" of "team"');
  });

  test("an untrusted source never hides a trusted one, even if it comes first", async () => {
    const box = skillBox({ project: { repository: team(), trusted: false }, own: own() });
    const { skills, diagnostics, sources } = await box.snapshot();
    expect(skills.find(({ name }) => name === "shared")).toMatchObject({ source: "own", trusted: true });
    expect(skills.find(({ name }) => name === "beta")).toMatchObject({ source: "project", trusted: false });
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ["skill.shadowed", "An untrusted skill never hides a trusted one; rename it to use both."],
    ]);
    expect(sources).toEqual([
      { source: "project", trusted: false },
      { source: "own", trusted: true },
    ]);
    expect(await box.load("shared")).toMatchObject({ source: "own", trusted: true });
  });

  test.each([true, false])(
    "a source that hides no others has no name of another one, first in the order and trusted: %s (MCP-20)",
    async (trusted) => {
      const server = memoryRepository({
        skills: { ...skillFiles("shared", "gamma"), "at/shared": skillFile("beta", "Theirs") },
      });
      const box = skillBox({
        server: { repository: server, trusted, hidesOthers: false },
        project: { repository: team(), trusted: false },
      });
      const { skills, diagnostics } = await box.snapshot();
      expect(skills.map(({ name, source }) => `${name} of ${source}`)).toEqual([
        "beta of project",
        "gamma of server",
        "shared of project",
      ]);
      expect(diagnostics.map(({ code, hint, path }) => [code, hint, path])).toEqual([
        [
          "skill.shadowed",
          "This source never hides a skill of another one; rename the other one to use both.",
          "at/shared",
        ],
        [
          "skill.shadowed",
          "This source never hides a skill of another one; rename the other one to use both.",
          "shared",
        ],
      ]);
      for (const name of ["beta", "shared"]) expect((await box.load(name)).source).toBe("project");
      expect((await box.search("beta"))[0]?.skill.source).toBe("project");
    },
  );

  test("a source that is added and hides no others stays behind those that were there", async () => {
    const box = skillBox({ project: { repository: team(), trusted: false } });
    box.addSource("server", { repository: team(), hidesOthers: false }, { before: "project" });
    expect((await box.snapshot()).skills.map(({ source }) => source)).toEqual(["project", "project"]);
  });

  test("within one source the first path wins and the other is reported", async () => {
    const repository = memoryRepository({ skills: { b: skillFile("same"), a: skillFile("same") } });
    const { skills, diagnostics } = await skillBox({ own: repository }).snapshot();
    expect(skills.map(({ path }) => path)).toEqual(["a"]);
    expect(diagnostics).toMatchObject([{ code: "skill.shadowed", path: "b" }]);
  });
});

describe("a source that fails", () => {
  const failing: SkillRepository = {
    ...memoryRepository(),
    label: "remote",
    list: () => Promise.reject(new Error("connection refused")),
  };

  test("is a diagnostic and hides no other", async () => {
    const { skills, diagnostics } = await skillBox({ remote: failing, own: own() }).snapshot();
    expect(skills.map(({ name }) => name)).toEqual(["alpha", "shared"]);
    expect(diagnostics).toMatchObject([{ code: "repository.failed", severity: "error" }]);
    expect(diagnostics[0]?.message).toMatch(/"remote".*BACKEND_FAILED.*connection refused/);
  });

  test("keeps its last listing, marked as stale, and is listed again when it can be reached", async () => {
    let up = true;
    const repository = memoryRepository({ skills: skillFiles("alpha") });
    const list: SkillRepository["list"] = async (options) => {
      if (!up) throw new Error("connection refused");
      return await repository.list(options);
    };
    const box = skillBox({ remote: { ...repository, list }, own: memoryRepository() });
    const before = await box.snapshot();
    up = false;
    const { skills, sources, diagnostics } = await box.snapshot();
    expect(skills).toEqual(before.skills);
    expect(sources).toEqual([
      { source: "remote", trusted: true, state: "stale" },
      { source: "own", trusted: true },
    ]);
    expect(diagnostics).toMatchObject([{ code: "repository.stale", severity: "warning" }]);
    expect(diagnostics[0]?.message).toMatch(/"remote".*connection refused.*1 skill is shown/);
    expect((await box.load("alpha")).name).toBe("alpha");
    await expect(box.load("beta")).rejects.toMatchObject({
      code: "SKILL_NOT_FOUND",
      message: expect.stringContaining('Recent changes in "remote" are unknown'),
    });
    up = true;
    expect((await box.snapshot()).fingerprint).toBe(before.fingerprint);
  });

  test("that was never listed may have any skill, so an unknown name is not reported as missing", async () => {
    const box = skillBox({ remote: failing, own: own() });
    expect((await box.snapshot()).sources?.[0]).toEqual({
      source: "remote",
      trusted: true,
      state: "unlisted",
    });
    await expect(box.load("beta")).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining('"remote" cannot be reached'),
    });
  });

  test("does not count as having no skills", async () => {
    const empty = await skillBox({ remote: memoryRepository() }).snapshot();
    const failed = await skillBox({ remote: failing }).snapshot();
    expect(failed.fingerprint).not.toBe(empty.fingerprint);
  });
});

test("broken skills are in the snapshot with their source and hide nothing", async () => {
  const broken = memoryRepository({ skills: { beta: { "SKILL.md": "no header" } } });
  const { skills, broken: told } = await skillBox({ own: broken, team: team() }).snapshot();
  expect(told).toMatchObject([{ path: "beta", source: "own" }]);
  expect(skills.find(({ name }) => name === "beta")?.source).toBe("team");
});

describe("bad sources", () => {
  test.each(["1", "", " own", "a\nb", "x".repeat(65)])("the name %j is refused", (name) => {
    expect(() => skillBox({ [name]: own() })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  test.each([undefined, null, {}, { repository: undefined }])("%j is not a repository", (value) => {
    expect(() => skillBox({ own: value as never })).toThrow(
      /The skill source "own" is not a skill repository/,
    );
  });
});
