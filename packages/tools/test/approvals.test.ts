import type { ApprovalRequest, TrustStore } from "@skillwright/core";
import { recordTrust } from "@skillwright/records";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import {
  commandPolicy,
  type SkillToolsOptions,
  skillTools,
  skillToolset,
  userTrust,
} from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, refusalOf, session, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

function setUp(
  options: Partial<SkillToolsOptions> = {},
  allowedTools = "Read, Bash(git log:*) Bash(make test)",
) {
  const asked: ApprovalRequest[] = [];
  const approval = async (request: ApprovalRequest) => ({ allowed: asked.push(request) > 0 });
  const own = { own: { "SKILL.md": skillFile("own", `allowed-tools: ${allowedTools}\n`) } };
  const foreign = { foreign: { "SKILL.md": skillFile("foreign", "allowed-tools: Bash\n") } };
  const project = memoryRepository({ skills: foreign });
  const skills = skillBox({
    own: memoryRepository({ skills: own }),
    project: { repository: project, trusted: false },
  });
  const recorded = recordingWorkspaces();
  const tools = () => caller(skillTools({ skills, workspaces: recorded.workspaces, approval, ...options }));
  return { ...recorded, skills, project, asked, tools, call: tools() };
}

describe("allowed-tools as pre-approval", () => {
  const options = { preApproved: true, mustAsk: () => true };

  test.each([
    ["git log", 0],
    ["git log --oneline -5", 0],
    ["make test", 0],
    ["git log | make test", 0],
    ["git push", 1],
    ["make test all", 1],
    ["git log && rm -r out", 1],
    ["git log > out/log", 1],
    ["git log $(id)", 1],
    ["gitlog", 1],
  ])("with Bash(git log:*) and Bash(make test), %s asks %i times", async (command, times) => {
    const { call, asked, runs } = setUp(options);
    await call("skill_run", { skill: "own", command });
    expect([asked.length, runs.length]).toEqual([times, 1]);
  });

  test.each([
    ["make 'a:*b'", 0],
    ["make 'a:*b' more", 1],
  ])("with Bash(make a:*b), whose * is not at the end, %s asks %i times", async (command, times) => {
    const { call, asked } = setUp(options, "Bash(make a:*b)");
    await call("skill_run", { skill: "own", command });
    expect(asked).toHaveLength(times);
  });

  test("the entry of another tool allows no command", async () => {
    const { call, asked } = setUp(options, "Read, Write");
    await call("skill_run", { skill: "own", command: "ls" });
    expect(asked).toHaveLength(1);
  });

  test.each(["Bash", "skill_run", "Bash(*)"])("%s names every command", async (allowed) => {
    const { call, asked } = setUp(options, allowed);
    await call("skill_run", { skill: "own", command: "for x in 1 2; do echo $x; done" });
    expect(asked).toEqual([]);
  });

  test("is off by default", async () => {
    const { call, asked } = setUp({ mustAsk: () => true });
    await call("skill_run", { skill: "own", command: "git log" });
    expect(asked).toHaveLength(1);
  });

  test("never lets a skill of an untrusted source run without approval", async () => {
    const { call, asked } = setUp(options);
    await call("skill_run", { skill: "foreign", command: "ls" });
    expect(asked).toMatchObject([{ skill: "foreign" }]);
  });
});

describe("PROMPT-14: a skill's declarations widen nothing that the host granted", () => {
  const everything = "*, Bash(*), host";

  test("no tool appears, and no policy, isolation or question is dropped", async () => {
    const policy = commandPolicy({ allowed: ["ls"] });
    const { call, asked, runs, skills, workspaces } = setUp({ policy, mustAsk: () => true }, everything);
    const loaded = callContext({ state: { "temp:skill:loaded:own": "1" } });
    expect(await skillToolset({ skills, workspaces }).loadedTools(loaded)).toEqual([]);
    const input = { skill: "own", command: "rm -r out", isolation: "none" };
    expect(refusalOf(await call("skill_run", input)).code).toBe("INPUT_INVALID");
    expect(refusalOf(await call("skill_run", { skill: "own", command: "rm -r out" })).message).toContain(
      '"rm"',
    );
    expect([asked, runs]).toEqual([[], []]);
    await call("skill_run", { skill: "own", command: "ls" });
    expect([asked.length, runs.length]).toEqual([1, 1]);
  });

  test("where the host grants pre-approval, * and host name no command, and the policy still applies", async () => {
    const policy = commandPolicy({ allowed: ["ls"] });
    const granted = { policy, preApproved: true, mustAsk: () => true };
    const { call, asked, runs } = setUp(granted, everything);
    expect(refusalOf(await call("skill_run", { skill: "own", command: "rm -r out" })).message).toContain(
      '"rm"',
    );
    expect(runs).toEqual([]);
    await call("skill_run", { skill: "own", command: "ls" });
    expect(asked).toEqual([]);
    const narrow = setUp(granted, "*, host");
    await narrow.call("skill_run", { skill: "own", command: "ls" });
    expect(narrow.asked).toHaveLength(1);
  });
});

describe("a trust store", () => {
  test("keeps an approval beyond the tools' lifetime, for that digest and source", async () => {
    const trust = recordTrust(memoryRecords());
    const { tools, asked, project, skills } = setUp({ trust });
    await tools()("skill_run", { skill: "foreign", command: "ls" });
    await tools()("skill_run", { skill: "foreign", command: "pwd" });
    expect(asked).toHaveLength(1);
    const { digest } = await skills.load("foreign");
    expect(await userTrust(trust, session).isAllowed(digest, "project")).toBe(true);
    await project.upload([{ path: "SKILL.md", content: skillFile("foreign", "", "Changed.") }]);
    await tools()("skill_run", { skill: "foreign", command: "ls" });
    expect(asked).toHaveLength(2);
  });

  const run = { skill: "foreign", command: "ls" };
  const asUser = (user: string, app = "test") => callContext({ session: { ...session, app, user } });

  test("shared by users, asks each of them, and applies to nobody else", async () => {
    const trust = recordTrust(memoryRecords());
    const { tools, asked, skills } = setUp({ trust });
    for (const context of [
      asUser("ann"),
      asUser("bob"),
      asUser("ann", "other"),
      asUser("ann"),
      asUser("bob"),
    ])
      await tools()("skill_run", run, context);
    expect(asked.map(({ session: { app, user } }) => [app, user])).toEqual([
      ["test", "ann"],
      ["test", "bob"],
      ["other", "ann"],
    ]);
    const { digest } = await skills.load("foreign");
    expect(await trust.isAllowed(digest, "project")).toBe(false);
    expect(await userTrust(trust, { app: "test", user: "eve" }).isAllowed(digest, "project")).toBe(false);
  });

  test("applies to every user where the application says so", async () => {
    const trust = recordTrust(memoryRecords());
    const { tools, asked, skills } = setUp({ trust, sharedTrust: true });
    for (const user of ["ann", "bob"]) await tools()("skill_run", run, asUser(user));
    expect(asked).toHaveLength(1);
    expect(await trust.isAllowed((await skills.load("foreign")).digest, "project")).toBe(true);
  });

  test("stores no refusal, and a failing store allows nothing", async () => {
    const trust = recordTrust(memoryRecords());
    const no = setUp({ trust, approval: async () => ({ allowed: false }) });
    expect(refusalOf(await no.call("skill_run", { skill: "foreign", command: "ls" })).code).toBe("REFUSED");
    const { digest } = await no.skills.load("foreign");
    expect(await userTrust(trust, session).isAllowed(digest, "project")).toBe(false);
    const broken: TrustStore = { ...trust, isAllowed: () => Promise.reject(new Error("disk gone")) };
    const { call, runs } = setUp({ trust: broken });
    expect(refusalOf(await call("skill_run", { skill: "foreign", command: "ls" })).message).toContain(
      "disk gone",
    );
    expect(runs).toEqual([]);
  });

  test("gets the signal of the call, with the look-up and with the approval", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const trust: TrustStore = {
      isAllowed: async (_digest, _source, options) => signals.push(options?.signal) === 0,
      allow: async (_digest, _source, options) => void signals.push(options?.signal),
    };
    const { signal } = new AbortController();
    await setUp({ trust }).call("skill_run", run, callContext({ signal }));
    expect(signals).toEqual([signal, signal]);
  });

  test("an approval to write a skill does not allow running it", async () => {
    const trust = recordTrust(memoryRecords());
    const scopes = { project: "project" };
    const { call, asked, skills } = setUp({ trust, manage: { scopes } });
    await call("skill_manage", { action: "update", name: "foreign", body: "New." });
    await call("skill_run", { skill: "foreign", command: "ls" });
    expect(asked.map(({ action, digest }) => [action, digest])).toEqual([
      ["write", (await skills.load("foreign")).digest],
      ["run", (await skills.load("foreign")).digest],
    ]);
  });
});

describe("writes to the workspace", () => {
  const file = { path: "out/x.txt", content: "1" };

  test("ask where the application requires it, each path and text once", async () => {
    const asked: ApprovalRequest[] = [];
    const approval = async (request: ApprovalRequest) => ({ allowed: asked.push(request) > 0 });
    const { skills } = setUp();
    const workspaces = await realWorkspaces(skills);
    const mustAskToWrite = ({ path }: { path: string }) => path.startsWith("out/");
    const call = caller(skillTools({ skills, workspaces, approval, mustAskToWrite }));
    expect((await call("workspace_write", file)).isError).toBe(false);
    await call("workspace_write", file);
    await call("workspace_write", { ...file, content: "2" });
    await call("workspace_write", { ...file, path: "work/x.txt" });
    expect(asked).toMatchObject([
      { action: "write", subject: "out/x.txt", digest: expect.stringMatching(/^sha256:/) },
      { action: "write", subject: "out/x.txt" },
    ]);
    expect(asked[0]?.digest).not.toBe(asked[1]?.digest);
  });

  test("are refused where nobody can be asked, and nothing is created for them", async () => {
    const { call, sessions } = setUp({ approval: undefined, mustAskToWrite: () => true });
    const refusal = refusalOf(await call("workspace_write", file));
    expect(refusal).toMatchObject({ code: "REFUSED", retry: false });
    expect(refusal.message).toContain("There is nobody to ask here, so it is not done.");
    expect(sessions).toEqual([]);
  });
});
