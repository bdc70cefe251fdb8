import { SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { checkSkillsPackage } from "../src/package/check-skills-package.js";
import { packagePlaces } from "../src/package/package-places.js";

describe("a skills package", () => {
  test("has the documented defaults, and accepts names in snake case", () => {
    const checked = checkSkillsPackage({
      source: "local",
      skills_dir: "mine",
      enabled_skills: ["pdf"],
      enabled_commands: [],
    });
    expect(checked).toEqual({
      source: "local",
      path: ".",
      localPath: ".",
      skillsDir: "mine",
      commandsDir: "commands",
      enabledSkills: ["pdf"],
      enabledCommands: [],
    });
  });

  test("an empty text and null count as absent, as Go writes what was not set (AGENT-09)", () => {
    const unset = {
      source: "",
      path: "",
      version: "",
      skills_dir: "",
      commands_dir: "",
      enabled_skills: null,
    };
    expect(checkSkillsPackage({ ...unset, enabled_commands: null })).toEqual(checkSkillsPackage({}));
    expect(checkSkillsPackage({}).source).toBe("local");
  });

  test.each([
    [{ source: 5 }, "skillsPackage.source", "5", '"local", "oss", "s3", "hybrid"'],
    [{ source: "ftp" }, "skillsPackage.source", '"ftp"', '"local", "oss", "s3", "hybrid"'],
    [{ source: "local", path: 5 }, "skillsPackage.path", "5", "type string"],
    [{ source: "local", enabledSkills: ["a", 1] }, "skillsPackage.enabledSkills.1", "1", "type string"],
    [{ source: "local", skillDir: "x" }, "skillsPackage.skillDir", "does not exist", "spelling"],
    ["local", "skillsPackage", '"local"', "type object"],
  ])("%j: the error names %s, what was given and what is expected", (config, path, given, expected) => {
    const error = thrown(config);
    const line = error.message.split("\n").find((one) => one.startsWith(`- ${path}: `)) ?? "";
    expect(line).toContain(given);
    expect(line).toContain(expected);
    expect(error.details["fields"]).toContainEqual(expect.objectContaining({ path }));
  });

  test.each(["s3", "oss", "hybrid"])(
    "%s without a bucket is refused with the name of the path field",
    (source) => {
      for (const path of [undefined, "./here", "https://example.com", "s3://", "ftp://a/b"]) {
        const error = thrown({ source, path });
        expect(error.message).toContain("skillsPackage.path");
        expect(error.message).toContain("Give s3://bucket/prefix");
      }
    },
  );
});

test.each([
  [
    "s3://skills/team",
    { endpoint: undefined, bucket: "skills", skills: "team/skills", commands: "team/commands" },
  ],
  ["oss://skills", { endpoint: undefined, bucket: "skills", skills: "skills", commands: "commands" }],
  [
    "http://127.0.0.1:9000/skills/team/",
    { endpoint: "http://127.0.0.1:9000", bucket: "skills", skills: "team/skills" },
  ],
  [
    "https://skills.oss-cn-hangzhou.aliyuncs.com/team",
    {
      endpoint: "https://oss-cn-hangzhou.aliyuncs.com",
      isVirtualHosted: true,
      bucket: "skills",
      skills: "team/skills",
    },
  ],
])("%s is parsed as a place in a bucket", (path, expected) => {
  const checked = checkSkillsPackage({ source: "s3", path });
  expect(packagePlaces(checked, "/work")).toEqual([expect.objectContaining({ kind: "bucket", ...expected })]);
});

test("a version is the directory of that name in the bucket", () => {
  const checked = checkSkillsPackage({ source: "s3", path: "s3://skills/team", version: "1.2.0" });
  expect(packagePlaces(checked, "/work")).toMatchObject([
    { skills: "team/1.2.0/skills", commands: "team/1.2.0/commands" },
  ]);
});

test("hybrid puts the local directory over the bucket", () => {
  const checked = checkSkillsPackage({ source: "hybrid", path: "s3://skills", localPath: "mine" });
  expect(packagePlaces(checked, "/work")).toMatchObject([
    { kind: "folder", skills: "/work/mine/skills", commands: "/work/mine/commands" },
    { kind: "bucket", bucket: "skills" },
  ]);
});

function thrown(config: unknown): SkillError {
  try {
    checkSkillsPackage(config);
  } catch (error) {
    if (SkillError.is(error, "CONFIG_INVALID")) return error;
    throw error;
  }
  throw new Error("It was taken.");
}
