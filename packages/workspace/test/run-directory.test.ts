import { SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { pathContext } from "../src/path/path-context.js";
import { type RunSkill, runDirectory } from "../src/path/run-directory.js";

const skill: RunSkill = { name: "x", files: ["SKILL.md", "sub/dir/run.sh", "sub/notes.md"] };
const context = pathContext("/srv/ws/ws_1", { runId: "run_1", skill: "x" });
const inSkill = (cwd?: string, of: RunSkill = skill) => runDirectory(cwd, of, context);
const withoutSkill = (cwd?: string) => runDirectory(cwd, undefined, context);

const braced = (name: string) => `$\{${name}}`;

function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (SkillError.is(error)) return error.code;
    throw error;
  }
  return "nothing thrown";
}

describe("where a command starts", () => {
  test.each([
    ["TR-19", undefined, "skills/x"],
    ["TR-19", "  ", "skills/x"],
    ["TR-20", "sub/dir", "skills/x/sub/dir"],
    ["TR-20", "./sub//dir/", "skills/x/sub/dir"],
    ["TR-20", "sub\\dir", "skills/x/sub/dir"],
    ["TR-20", "sub/dir/..", "skills/x/sub"],
    ["TR-22", "$WORK_DIR", "work"],
    ["TR-23", `${braced("OUTPUT_DIR")}/x`, "out/x"],
    ["TR-24", "$WORKSPACE_DIR/work", "work"],
    ["TR-24", `${braced("WORKSPACE_DIR")}\\work`, "work"],
    ["TR-27", "/", "."],
    ["TR-28", "/work", "work"],
    ["TR-28", "/out/x", "out/x"],
    ["TR-28", "/runs/r1", "runs/r1"],
    ["TR-28", "/skills/other", "skills/other"],
    ["TR-130", "$RUN_DIR/x", "runs/run_1/x"],
    ["of SKILL_DIR", "$SKILL_DIR/sub", "skills/x/sub"],
    ["of INPUTS_DIR", "$INPUTS_DIR", "work/inputs"],
    ["of a path that a command printed", "/srv/ws/ws_1/out/a", "out/a"],
    ["through the skill's link out", "out/a", "out/a"],
    ["through the skill's link inputs", "inputs", "work/inputs"],
  ])("%s: cwd %j is %s", (_id, cwd, expected) => {
    expect(inSkill(cwd)).toBe(expected);
  });

  test.each([
    ["TR-30", undefined, "."],
    ["TR-126", ".", "."],
    ["TR-126", "/", "."],
    ["TR-127", "work\\sub", "work/sub"],
    ["TR-127", "/work/x", "work/x"],
    ["TR-127", `${braced("WORK_DIR")}/x`, "work/x"],
    ["the inputs alias", "inputs/a", "work/inputs/a"],
  ])("%s: without a skill cwd %j is %s", (_id, cwd, expected) => {
    expect(withoutSkill(cwd)).toBe(expected);
  });

  test.each([
    ["TR-21", "../../.."],
    ["TR-21", "..\\..\\.."],
    ["TR-21", "sub/../.."],
    ["TR-25", "$WORKSPACE_DIR/../.."],
    ["TR-25", "$WORKSPACE_DIR\\..\\.."],
    ["TR-26", "$WORKSPACE_DIR/etc"],
    ["TR-29", "/etc"],
    ["TR-29", "/Users/example"],
    ["TR-29", "C:\\Users\\example"],
    ["a path beside the workspace", "/srv/ws/ws_10/out"],
    ["a variable's directory left", "$WORK_DIR/../out"],
  ])("%s otherwise: cwd %j is refused and not redirected", (_id, cwd) => {
    expect(codeOf(() => inSkill(cwd))).toBe("PATH_OUTSIDE");
  });

  test.each(["..", "../etc", "etc/passwd", "/etc/passwd"])(
    "TR-128: without a skill cwd %j is refused",
    (cwd) => {
      expect(codeOf(() => withoutSkill(cwd))).toBe("PATH_OUTSIDE");
    },
  );

  test("TR-29 otherwise: the refusal names the allowed roots", () => {
    expect(() => inSkill("/etc")).toThrow(/work\/, out\/, runs\/ and skills\//);
  });

  test("TR-129: $OUTPUT_DIR_demo is a name and not the variable", () => {
    expect(codeOf(() => inSkill("$OUTPUT_DIR_demo"))).toBe("FILE_NOT_FOUND");
    expect(inSkill("$OUTPUT_DIR_demo", { name: "x", files: ["$OUTPUT_DIR_demo/a"] })).toBe(
      "skills/x/$OUTPUT_DIR_demo",
    );
  });

  test("PATH-05: a NUL in the directory is a path error", () => {
    expect(codeOf(() => inSkill("sub\0/dir"))).toBe("PATH_INVALID");
  });

  test("PATH-07: a directory that is a file of the skill is a path error", () => {
    expect(codeOf(() => inSkill("sub/notes.md"))).toBe("PATH_INVALID");
  });

  test("a directory the skill does not have is named, with those it has", () => {
    expect(codeOf(() => inSkill("scripts"))).toBe("FILE_NOT_FOUND");
    expect(() => inSkill("scripts")).toThrow(/"scripts".*It has sub\./);
  });

  test("a skill's own out directory is its own", () => {
    expect(inSkill("out", { name: "x", files: ["SKILL.md", "out/sample.csv"] })).toBe("skills/x/out");
  });
});
