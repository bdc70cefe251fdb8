import { SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { pathContext } from "../src/path/path-context.js";
import { type RunSkill, runDirectory } from "../src/path/run-directory.js";

const skill: RunSkill = { name: "x", files: ["SKILL.md", "sub/dir/run.sh", "sub/notes.md"] };
const context = pathContext("/srv/ws/ws_1", { runId: "run_1", skill: "x" });
const inSkill = (cwd?: string, of: RunSkill = skill) => runDirectory(cwd, of, context);
const withoutSkill = (cwd?: string) => runDirectory(cwd, undefined, context);

const braced = (name: string) => `$\{${name}}`;

function thrownBy(call: () => unknown): SkillError | undefined {
  try {
    call();
  } catch (error) {
    if (SkillError.is(error)) return error;
    throw error;
  }
  return undefined;
}

function codeOf(call: () => unknown): string {
  return thrownBy(call)?.code ?? "nothing thrown";
}

describe("where a command starts", () => {
  test.each([
    ["PATH-12", undefined, "skills/x"],
    ["PATH-12", "  ", "skills/x"],
    ["PATH-13", "sub/dir", "skills/x/sub/dir"],
    ["PATH-13", "./sub//dir/", "skills/x/sub/dir"],
    ["PATH-13", "sub\\dir", "skills/x/sub/dir"],
    ["PATH-13", "sub/dir/..", "skills/x/sub"],
    ["PATH-14", "$WORK_DIR", "work"],
    ["PATH-14", `${braced("OUTPUT_DIR")}/x`, "out/x"],
    ["PATH-14", "$WORKSPACE_DIR/work", "work"],
    ["PATH-14", `${braced("WORKSPACE_DIR")}\\work`, "work"],
    ["PATH-16", "/", "."],
    ["PATH-17", "/work", "work"],
    ["PATH-17", "/out/x", "out/x"],
    ["PATH-17", "/runs/r1", "runs/r1"],
    ["PATH-17", "/skills/other", "skills/other"],
    ["PATH-22", "$RUN_DIR/x", "runs/run_1/x"],
    ["of SKILL_DIR", "$SKILL_DIR/sub", "skills/x/sub"],
    ["of INPUTS_DIR", "$INPUTS_DIR", "work/inputs"],
    ["of a path that a command printed", "/srv/ws/ws_1/out/a", "out/a"],
    ["through the skill's link out", "out/a", "out/a"],
    ["through the skill's link inputs", "inputs", "work/inputs"],
  ])("%s: cwd %j is %s", (_id, cwd, expected) => {
    expect(inSkill(cwd)).toBe(expected);
  });

  test.each([
    ["PATH-18", undefined, "."],
    ["PATH-18", ".", "."],
    ["PATH-18", "/", "."],
    ["PATH-19", "work\\sub", "work/sub"],
    ["PATH-19", "/work/x", "work/x"],
    ["PATH-19", `${braced("WORK_DIR")}/x`, "work/x"],
    ["the inputs alias", "inputs/a", "work/inputs/a"],
  ])("%s: without a skill cwd %j is %s", (_id, cwd, expected) => {
    expect(withoutSkill(cwd)).toBe(expected);
  });

  test.each([
    ["PATH-01", "../../.."],
    ["PATH-01", "..\\..\\.."],
    ["PATH-01", "sub/../.."],
    ["PATH-01", "$WORKSPACE_DIR/../.."],
    ["PATH-01", "$WORKSPACE_DIR\\..\\.."],
    ["PATH-15", "$WORKSPACE_DIR/etc"],
    ["PATH-02", "/etc"],
    ["PATH-02", "/Users/example"],
    ["PATH-02", "C:\\Users\\example"],
    ["a path beside the workspace", "/srv/ws/ws_10/out"],
    ["a variable's directory left", "$WORK_DIR/../out"],
  ])("%s: cwd %j is refused and not redirected", (_id, cwd) => {
    expect(codeOf(() => inSkill(cwd))).toBe("PATH_OUTSIDE");
  });

  test.each(["..", "../etc", "etc/passwd", "/etc/passwd"])(
    "PATH-20: without a skill cwd %j is refused",
    (cwd) => {
      expect(codeOf(() => withoutSkill(cwd))).toBe("PATH_OUTSIDE");
    },
  );

  test("PATH-02: the refusal names the allowed roots", () => {
    expect(() => inSkill("/etc")).toThrow(/work\/, out\/, runs\/ and skills\//);
  });

  test("a refusal has the directory in its details, and what it leaves", () => {
    expect(thrownBy(() => inSkill("../x"))?.details).toEqual({ path: "../x", base: "skills/x" });
    expect(thrownBy(() => inSkill("/work/../../x"))?.details).toEqual({
      path: "/work/../../x",
      base: "work",
    });
    expect(thrownBy(() => inSkill("/etc"))?.details).toEqual({ path: "/etc" });
    expect(thrownBy(() => inSkill("scripts"))?.details).toEqual({ path: "skills/x/scripts" });
  });

  test("PATH-21: $OUTPUT_DIR_demo is a name and not the variable", () => {
    expect(codeOf(() => inSkill("$OUTPUT_DIR_demo"))).toBe("FILE_NOT_FOUND");
    expect(inSkill("$OUTPUT_DIR_demo", { name: "x", files: ["$OUTPUT_DIR_demo/a"] })).toBe(
      "skills/x/$OUTPUT_DIR_demo",
    );
  });

  test("PATH-03: a NUL in the directory is a path error", () => {
    expect(codeOf(() => inSkill("sub\0/dir"))).toBe("PATH_INVALID");
  });

  test("PATH-04: a directory that is a file of the skill is a path error", () => {
    expect(codeOf(() => inSkill("sub/notes.md"))).toBe("PATH_INVALID");
  });

  test("a directory the skill does not have is named, together with the existing ones", () => {
    expect(codeOf(() => inSkill("scripts"))).toBe("FILE_NOT_FOUND");
    expect(() => inSkill("scripts")).toThrow(/"scripts".*It has sub\./);
  });

  test("a skill's own out directory takes the place of the link", () => {
    expect(inSkill("out", { name: "x", files: ["SKILL.md", "out/sample.csv"] })).toBe("skills/x/out");
  });
});
