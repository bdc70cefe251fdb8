import { Secret, SkillError, type WorkspaceRun } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { checkRun } from "../src/run/check-run.js";
import { runEnvironment } from "../src/run/run-environment.js";

const check = (run: Partial<WorkspaceRun>) => () => checkRun({ command: "true", ...run });
const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);

describe("what is refused before anything is touched", () => {
  test.each<[string, Partial<WorkspaceRun>, string]>([
    ["RUN-01: a blank command", { command: "  " }, "INPUT_INVALID"],
    ["RUN-01: a blank skill", { skill: " " }, "INPUT_INVALID"],
    ["a NUL in the command", { command: "a\0b" }, "INPUT_INVALID"],
    ["RUN-07: a command above 64 KiB", { command: "x".repeat(64 * 1024 + 1) }, "LIMIT_EXCEEDED"],
    ["a timeout above 600,000 ms", { timeoutMs: 600_001 }, "LIMIT_EXCEEDED"],
    ["a timeout of 0", { timeoutMs: 0 }, "INPUT_INVALID"],
    ["a timeout that is not a number", { timeoutMs: Number.NaN }, "INPUT_INVALID"],
    ["ENV-09: variables above 32 KiB", { env: { A: "x".repeat(32 * 1024) } }, "LIMIT_EXCEEDED"],
    ["ENV-06: a variable of the loader", { env: { LD_PRELOAD: "/x.so" } }, "INPUT_INVALID"],
    ["ENV-04: a name that is none", { env: { "1BAD": "x" } }, "INPUT_INVALID"],
    ["ENV-04: an exported function", { env: { "BASH_FUNC_ls%%": "() { :; }" } }, "INPUT_INVALID"],
    ["ENV-05: a NUL in a value", { env: { A: "1\0B=2" } }, "INPUT_INVALID"],
    ["the workspace's own variable", { env: { OUTPUT_DIR: "/tmp" } }, "INPUT_INVALID"],
    ["a value that is a number", { env: { A: 1 as unknown as string } }, "INPUT_INVALID"],
  ])("%s", (_what, run, code) => {
    expect(check(run)).toThrow(withCode(code));
  });

  test("the timeout defaults to 600,000 ms, which is also the maximum", () => {
    expect(check({})()).toEqual({ timeoutMs: 600_000 });
    expect(check({ timeoutMs: 600_000 })()).toEqual({ timeoutMs: 600_000 });
  });
});

describe("the variables of a run", () => {
  test("ENV-10: all point into the workspace, in addition to the caller's own", () => {
    const token = new Secret("s3cret");
    const place = { root: "/workspace", runId: "run_1", skill: "demo" };
    expect(runEnvironment(place, { TOKEN: token, A: "1" })).toEqual({
      A: "1",
      TOKEN: token,
      WORKSPACE_DIR: "/workspace",
      SKILLS_DIR: "/workspace/skills",
      WORK_DIR: "/workspace/work",
      INPUTS_DIR: "/workspace/work/inputs",
      OUTPUT_DIR: "/workspace/out",
      RUN_DIR: "/workspace/runs/run_1",
      SKILL_NAME: "demo",
      SKILL_DIR: "/workspace/skills/demo",
      CLAUDE_SKILL_DIR: "/workspace/skills/demo",
    });
  });

  test("without a skill there is no SKILL_NAME", () => {
    expect(runEnvironment({ root: "/w", runId: "r", skill: undefined })).not.toHaveProperty("SKILL_NAME");
  });
});
