import type { ApprovalDecision, ApprovalRequest, ToolContext } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { type SkillToolsOptions, skillTools } from "@skillwright/tools";
import { describe, expect, test, vi } from "vitest";
import { callContext, caller, refusalOf, session, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

type Answer = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;

const yes: Answer = () => ({ allowed: true });
const files = (body: string) => [{ path: "SKILL.md", content: skillFile("foreign", "", body) }];

/** `own` is trusted, `foreign` comes from an untrusted project; no command is really run. */
function setUp(
  answer?: Answer,
  options: Partial<SkillToolsOptions> = {},
  level: "none" | "namespace" = "namespace",
) {
  const project = memoryRepository({ skills: { foreign: { "SKILL.md": skillFile("foreign") } } });
  const own = memoryRepository({ skills: { own: { "SKILL.md": skillFile("own") } } });
  const skills = skillBox({ own, project: { repository: project, trusted: false } });
  const asked: ApprovalRequest[] = [];
  const approval =
    answer &&
    (async (request: ApprovalRequest) => {
      asked.push(request);
      return answer(request);
    });
  const recorded = recordingWorkspaces({ level, by: "test" });
  const call = caller(skillTools({ skills, workspaces: recorded.workspaces, approval, ...options }));
  const run = (skill: string, command = "ls", context: ToolContext = callContext(), more: object = {}) =>
    call("skill_run", { skill, command, ...more }, context);
  return { ...recorded, project, skills, asked, call, run };
}

describe("a skill of an untrusted source", () => {
  test("does not run where nobody can be asked, and nothing is created for it", async () => {
    const { run, runs, sessions } = setUp();
    expect(refusalOf(await run("foreign"))).toMatchObject({
      code: "REFUSED",
      message: expect.stringMatching(
        /"foreign" comes from "project", which is not trusted.*There is nobody to ask/,
      ),
      retry: false,
    });
    expect([runs, sessions]).toEqual([[], []]);
  });

  test("asks once per digest, with all data that a person needs", async () => {
    const { run, runs, asked } = setUp(yes);
    await run("foreign", "sh a.sh", callContext({ callId: "call_1" }));
    await run("foreign", "sh b.sh");
    expect(runs).toHaveLength(2);
    expect(asked).toEqual([
      {
        session,
        callId: "call_1",
        action: "run",
        skill: "foreign",
        digest: expect.stringMatching(/^sha256:/),
        source: "project",
        subject: "sh a.sh",
        reason: expect.stringContaining("not approved yet"),
      },
    ]);
  });

  test("asks again after it changed, and for another user", async () => {
    const { run, asked, project } = setUp(yes);
    await run("foreign");
    await project.upload(files("Changed."));
    await run("foreign");
    await run("foreign", "ls", callContext({ session: { ...session, user: "bob" } }));
    expect(new Set(asked.map(({ digest }) => digest)).size).toBe(2);
    expect(asked).toHaveLength(3);
  });

  test("asks again after a refusal, whose reason the model gets", async () => {
    const { run, runs, asked } = setUp(() => ({ allowed: false, reason: "Not today." }));
    expect(refusalOf(await run("foreign")).message).toContain("not allowed: Not today.");
    await run("foreign");
    expect([runs.length, asked.length]).toEqual([0, 2]);
  });

  test("is asked about once by concurrent calls", async () => {
    const { run, runs, asked } = setUp(yes);
    await Promise.all([run("foreign"), run("foreign"), run("foreign")]);
    expect([runs.length, asked.length]).toEqual([3, 1]);
  });

  test.each<[string, Answer]>([
    [
      "throws",
      () => {
        throw new Error("no terminal");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no terminal"))],
    ["answers nothing", () => undefined as never],
    ["answers something that is not true", () => ({ allowed: "yes" }) as never],
  ])("does not run where the approval %s", async (_what, answer) => {
    const { run, runs } = setUp(answer);
    expect(refusalOf(await run("foreign")).code).toBe("REFUSED");
    expect(runs).toEqual([]);
  });

  test("also asks where only one of its files is used", async () => {
    const { run, runs, asked } = setUp(() => ({ allowed: false }));
    const inputs = [{ from: "skill://foreign/SKILL.md" }];
    expect(refusalOf(await run("own", "sh inputs/SKILL.md", callContext(), { inputs })).code).toBe("REFUSED");
    expect(asked).toMatchObject([{ skill: "foreign" }]);
    expect(runs).toEqual([]);
  });

  test("does not run when it is changed between the approval and the start", async () => {
    const parts = setUp();
    const workspaces = await realWorkspaces(parts.skills);
    let changes = 1;
    const approval = async () => {
      if (changes-- > 0) await parts.project.upload(files("Changed behind the approval."));
      return { allowed: true };
    };
    const call = caller(skillTools({ skills: parts.skills, workspaces, approval }));
    const input = { skill: "foreign", command: "echo ran > out/ran.txt" };
    expect(refusalOf(await call("skill_run", input))).toMatchObject({ code: "DIGEST_MISMATCH", retry: true });
    const { id } = await workspaces.forSession(session);
    expect(await workspaces.files(id, "out")).toEqual([]);
    expect((await call("skill_run", input)).output).toMatchObject({ exit_code: 0 });
  });

  test.each(["beforeTheCheck", "afterTheCheck"])(
    "does not run without approval under the name of a trusted one that is removed %s",
    async (moment) => {
      const own = memoryRepository({ skills: { foreign: { "SKILL.md": skillFile("foreign", "", "Own.") } } });
      const project = memoryRepository({ skills: { foreign: { "SKILL.md": skillFile("foreign") } } });
      const skills = skillBox({ own, project: { repository: project, trusted: false } });
      const real = await realWorkspaces(skills);
      const goes = (when: string) => (when === moment ? own.delete("foreign") : undefined);
      const workspaces: typeof real = {
        ...real,
        async forSession(...given) {
          await goes("afterTheCheck");
          return real.forSession(...given);
        },
      };
      const policy = async () => {
        await goes("beforeTheCheck");
        return { allowed: true } as const;
      };
      const call = caller(skillTools({ skills, workspaces, policy }));
      const result = await call("skill_run", { skill: "foreign", command: "echo ran > out/ran.txt" });
      expect(refusalOf(result).code).toBe("DIGEST_MISMATCH");
      const { id } = await real.forSession(session);
      expect(await real.files(id, "out")).toEqual([]);
    },
  );

  test("ends with the call's signal, even where the approval ignores it", async () => {
    const { run, runs, asked } = setUp(() => new Promise(() => {}));
    const leaving = new AbortController();
    const waiting = run("foreign", "ls", callContext({ signal: leaving.signal }));
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 180_000 });
    leaving.abort();
    expect(refusalOf(await waiting).code).toBe("ABORTED");
    expect(runs).toEqual([]);
  });

  test("is asked about again for a call that shared the question of an aborted one", async () => {
    const answers: Promise<ApprovalDecision>[] = [new Promise(() => {}), Promise.resolve({ allowed: true })];
    const { run, runs, asked } = setUp(() => answers[asked.length - 1] as Promise<ApprovalDecision>);
    const leaving = new AbortController();
    const first = run("foreign", "ls", callContext({ signal: leaving.signal }));
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 180_000 });
    const second = run("foreign");
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    expect(refusalOf(await first).code).toBe("ABORTED");
    expect((await second).isError).toBe(false);
    expect([runs.length, asked.length]).toEqual([1, 2]);
  });
});

describe("a command that takes files of skills", () => {
  test("has each skill once, its own first", async () => {
    const { run, runs } = setUp(yes);
    const inputs = ["own", "foreign", "foreign"].map((name, index) => ({
      from: `skill://${name}/SKILL.md`,
      to: `work/${index}.md`,
    }));
    await run("own", "ls", callContext(), { inputs });
    await run("own", "ls");
    expect(runs.map(({ resolved }) => resolved?.map(({ name }) => name))).toEqual([
      ["own", "foreign"],
      ["own"],
    ]);
  });
});

describe("mustAsk", () => {
  const withoutSandbox: Partial<SkillToolsOptions> = {
    mustAsk: ({ skill, isolation }) => isolation.level === "none" && skill?.source !== "bundled",
  };

  test("lets trusted skills run without approval while there is a sandbox", async () => {
    const { run, runs, asked } = setUp(yes, withoutSandbox);
    await run("own");
    expect([runs.length, asked.length]).toEqual([1, 0]);
  });

  test("asks about them where there is none, and gives the reason", async () => {
    const { run, runs, asked } = setUp(yes, withoutSandbox, "none");
    await run("own");
    await run("own");
    expect(runs).toHaveLength(2);
    expect(asked).toMatchObject([
      { skill: "own", reason: expect.stringContaining("This command is not isolated") },
    ]);
  });

  test("can never exempt an untrusted skill", async () => {
    const { run, asked } = setUp(yes, { mustAsk: () => false });
    await run("foreign");
    expect(asked).toHaveLength(1);
  });

  test("asks each time for a command without a skill", async () => {
    const { call, runs, asked } = setUp(yes, withoutSandbox, "none");
    await call("workspace_run", { command: "ls" });
    await call("workspace_run", { command: "ls" });
    expect([runs.length, asked.length]).toEqual([2, 2]);
    expect(asked[0]).not.toHaveProperty("skill");
  });
});

describe("a command policy", () => {
  const policy: SkillToolsOptions["policy"] = async ({ command }) =>
    command.startsWith("rm ")
      ? { allowed: false, reason: "rm is not on the list.", hint: "Write to out/ instead." }
      : { allowed: true };

  test("refuses before anybody is asked and anything is created", async () => {
    const { run, call, runs, sessions, asked } = setUp(yes, { policy });
    const refusal = {
      code: "REFUSED",
      message: "The command is not allowed: rm is not on the list. Write to out/ instead.",
      retry: true,
    };
    expect(refusalOf(await run("foreign", "rm -r out"))).toEqual(refusal);
    expect(refusalOf(await call("workspace_run", { command: "rm -r out" }))).toEqual(refusal);
    expect([runs, sessions, asked]).toEqual([[], [], []]);
    await run("own", "ls");
    expect(runs).toHaveLength(1);
  });

  test("gets the command, its directory, the skill and the signal of the call", async () => {
    const asked: unknown[] = [];
    const { run, call } = setUp(yes, {
      policy: async (question, options) => {
        asked.push([question, options?.signal]);
        return { allowed: true };
      },
    });
    const { signal } = new AbortController();
    await run("own", "ls", callContext({ signal }));
    await call("workspace_run", { command: "ls" }, callContext({ signal }));
    expect(asked).toEqual([
      [{ command: "ls", cwd: "", skill: "own" }, signal],
      [{ command: "ls", cwd: "" }, signal],
    ]);
  });

  test("that fails allows nothing", async () => {
    const { run, runs } = setUp(yes, { policy: () => Promise.reject(new Error("offline")) });
    expect(refusalOf(await run("own")).message).toContain("offline");
    expect(runs).toEqual([]);
  });
});
