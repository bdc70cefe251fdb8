import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, SkillRepository, ToolResult } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { commandPolicy, type SkillToolsOptions, skillTools } from "@skillwright/tools";
import { describe, expect, onTestFinished, test } from "vitest";
import { caller, exampleCatalog, refusalOf } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

const skills = exampleCatalog();
const output = (result: ToolResult) => result.output as JsonObject & { stdout: string; stderr: string };

async function setUp(options: Partial<SkillToolsOptions> = {}, limits: { memoryBytes?: number } = {}) {
  const workspaces = await realWorkspaces(skills, { limits });
  return { workspaces, call: caller(skillTools({ skills, workspaces, ...options })) };
}

describe("commands", () => {
  test("1 MiB on stdout is handled, cut to beginning and end (OUT-02)", async () => {
    const { call } = await setUp();
    const command = "head -c 1048576 /dev/zero | tr '\\0' x; echo end";
    const { stdout, ...rest } = output(await call("skill_run", { skill: "greeter", command, timeout: 30 }));
    expect(rest).toMatchObject({ exit_code: 0, timed_out: false });
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(16 * 1024 + 200);
    expect(stdout).toMatch(/^xxx[\s\S]*xxxend\n$/);
    expect(rest["warnings"]).toEqual([expect.stringContaining("stdout has 1048580 bytes")]);
  });

  test("stderr and stdout are kept apart (RUN-09)", async () => {
    const { call } = await setUp();
    const command = "echo out; echo err >&2; exit 3";
    expect(output(await call("skill_run", { skill: "greeter", command }))).toMatchObject({
      stdout: "out\n",
      stderr: "err\n",
      exit_code: 3,
    });
  });

  test("2 GB where 64 MB are allowed are stopped, or the limit is declared unsupported (RUN-08)", async () => {
    const { call } = await setUp({}, { memoryBytes: 64 * 1024 * 1024 });
    const command = "set -o pipefail; head -c 2G /dev/zero | tail -c 2G > /dev/null";
    const result = await call("skill_run", { skill: "greeter", command });
    if (result.isError) expect(refusalOf(result).code).toBe("UNSUPPORTED");
    else {
      expect(output(result)["exit_code"]).not.toBe(0);
      expect(result.diagnostics.map(({ code }) => code)).toContain("limit.memoryBytes-reached");
    }
  });
});

describe("a call of a tool", () => {
  test.each([
    ["skill_run", {}, '"skill" and "command" are both required'],
    ["skill_run", { skill: "nobody", command: "ls" }, 'There is no skill "nobody"'],
    ["skill_load", {}, '"skill" is required'],
    ["skill_load", { skill: "nobody" }, 'There is no skill "nobody"'],
  ])("%s with %j is an error result, never thrown (TOOL-21)", async (name, input, message) => {
    const call = caller(skillTools({ skills, workspaces: recordingWorkspaces().workspaces }));
    const result = await call(name, input);
    expect(result.isError).toBe(true);
    expect(refusalOf(result).message).toContain(message);
  });

  test("made ten times concurrently gives ten independent results (RUN-10)", async () => {
    const { call } = await setUp();
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((number) => call("skill_run", { skill: "greeter", command: `echo ${number}` })),
    );
    expect(results.map((result) => output(result).stdout)).toEqual(numbers.map((number) => `${number}\n`));
  });
});

describe("a policy", () => {
  test("checks every program of a command, not only the first (POLICY-02)", async () => {
    const { workspaces, runs } = recordingWorkspaces();
    const policy = commandPolicy({ allowed: ["ls"] });
    const call = caller(skillTools({ skills, workspaces, policy }));
    for (const command of ["ls && curl x", "ls; curl x", "ls | curl x", "ls || curl x"])
      expect(refusalOf(await call("skill_run", { skill: "greeter", command })).message).toContain('"curl"');
    expect(runs).toEqual([]);
  });

  test("lets an allowed program use an absolute path in the workspace (POLICY-11)", async () => {
    const { call } = await setUp({ policy: commandPolicy({ allowed: ["rm", "pwd", "ls"] }) });
    await call("workspace_write", { path: "work/tmp.txt", content: "x" });
    const root = output(await call("workspace_run", { command: "pwd" })).stdout.trim();
    expect(root).toMatch(/^\//);
    expect(output(await call("workspace_run", { command: `rm ${root}/work/tmp.txt` }))).toMatchObject({
      exit_code: 0,
    });
    expect(output(await call("workspace_run", { command: "ls work" })).stdout).not.toContain("tmp.txt");
  });
});

test("a file outside the workspace is refused by the file tools, not searched inside it (PATH-24)", async () => {
  const { call } = await setUp();
  await call("workspace_write", { path: "work/x", content: "inside" });
  for (const path of ["/tmp/x", "/etc/passwd", "../x"]) {
    expect(refusalOf(await call("workspace_read", { path })).code).toBe("PATH_OUTSIDE");
    expect(refusalOf(await call("workspace_write", { path, content: "y" })).code).toBe("PATH_OUTSIDE");
  }
  expect(output(await call("workspace_read", { path: "work/x" }))["content"]).toBe("inside");
});

test("a skill created without a scope is stored in the project's folder, and not in the user's (EDIT-04)", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-manage-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const folder of ["project", "user"]) await mkdir(join(root, folder));
  const [user, project] = ["user", "project"].map((folder) => fsRepository({ root: join(root, folder) }));
  const box = skillBox({ user: user as SkillRepository, project: project as SkillRepository });
  const call = caller(skillTools({ skills: box, manage: { review: "none" } }));
  await call("skill_list", {});
  const made = { name: "demo", description: "Use when demonstrating.", body: "Step 1." };
  expect(output(await call("skill_manage", { action: "create", ...made }))).toMatchObject({
    scope: "project",
  });
  expect(await readFile(join(root, "project/demo/SKILL.md"), "utf8")).toContain("Step 1.");
  expect(await readdir(join(root, "user"))).toEqual([]);
  expect(output(await call("skill_list", {}))["skills"]).toMatchObject([{ name: "demo" }]);
});

test("a skill that the model made and deleted is kept and can be restored (EDIT-09)", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-manage-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "skills"));
  const box = skillBox({ project: fsRepository({ root: join(root, "skills") }) });
  const call = caller(
    skillTools({ skills: box, manage: { review: "none", scopes: { project: "project" } } }),
  );
  const made = { name: "demo", description: "Use when demonstrating.", body: "Step 1." };
  const { digest } = output(await call("skill_manage", { action: "create", ...made }));
  await call("skill_manage", { action: "delete", name: "demo" });
  expect(output(await call("skill_list", {}))["skills"]).toEqual([]);
  const restored = await call("skill_manage", { action: "restore", name: "demo" });
  expect(output(restored)).toMatchObject({ action: "restore", name: "demo", digest });
  expect((await box.load("demo")).body).toBe("Step 1.");
  expect(output(await call("skill_list", {}))["skills"]).toMatchObject([{ name: "demo" }]);
});
