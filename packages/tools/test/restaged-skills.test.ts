import type { ApprovalRequest } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, session, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

const filesOf = (name: string, script: string) => ({ "SKILL.md": skillFile(name), "say.sh": script });

/** `foreign` is from an untrusted project, `own` is trusted; approvals are given while `answer.allowed` is true. */
async function setUp() {
  const project = memoryRepository({ skills: { foreign: filesOf("foreign", "echo approved\n") } });
  const own = memoryRepository({ skills: { own: filesOf("own", "echo own\n") } });
  const skills = skillBox({ own, project: { repository: project, trusted: false } });
  const answer = { allowed: true };
  const asked: ApprovalRequest[] = [];
  const approval = async (request: ApprovalRequest) => {
    asked.push(request);
    return { ...answer };
  };
  const workspaces = await realWorkspaces(skills);
  const call = caller(skillTools({ skills, workspaces, approval }));
  const change = (script: string) =>
    project.upload(Object.entries(filesOf("foreign", script)).map(([path, content]) => ({ path, content })));
  return { project, own, skills, workspaces, asked, answer, call, change };
}

interface Answer {
  readonly stdout: string;
  readonly warnings?: readonly string[];
}

const SAY_FOREIGN = 'sh "$SKILLS_DIR/foreign/say.sh"';
const BY_ANY_RUN: readonly [string, object][] = [
  ["workspace_run", { command: SAY_FOREIGN }],
  ["skill_run", { skill: "own", command: SAY_FOREIGN }],
];

describe("a skill of an untrusted source that changes after it was approved and staged", () => {
  test.each(BY_ANY_RUN)(
    "stays as approved in a %s of something else, which reports this",
    async (tool, input) => {
      const { call, change, asked } = await setUp();
      await call("skill_run", { skill: "foreign", command: "sh say.sh" });
      await change("echo changed\n");
      for (const _ of [1, 2]) {
        const { stdout, warnings } = (await call(tool, input)).output as unknown as Answer;
        expect(stdout).toBe("approved\n");
        expect(warnings?.join()).toMatch(/"foreign" changed.*"project".*not trusted.*as it was approved/);
      }
      expect(asked).toHaveLength(1);
    },
  );

  test("is staged again once its new files are approved, without a further diagnostic", async () => {
    const { call, change, asked, answer } = await setUp();
    await call("skill_run", { skill: "foreign", command: "sh say.sh" });
    await change("echo changed\n");
    answer.allowed = false;
    expect((await call("skill_run", { skill: "foreign", command: "sh say.sh" })).isError).toBe(true);
    const refused = (await call("workspace_run", { command: SAY_FOREIGN })).output as unknown as Answer;
    expect(refused.stdout).toBe("approved\n");
    answer.allowed = true;
    await call("skill_run", { skill: "foreign", command: "sh say.sh" });
    const after = (await call("workspace_run", { command: SAY_FOREIGN })).output as unknown as Answer;
    expect(after).toMatchObject({ stdout: "changed\n" });
    expect(after.warnings).toBeUndefined();
    expect(new Set(asked.map(({ digest }) => digest)).size).toBe(2);
  });

  test("does not replace a trusted one of its name that is removed", async () => {
    const { call, own, asked } = await setUp();
    const trusted = Object.entries(filesOf("foreign", "echo trusted\n"));
    await own.upload(trusted.map(([path, content]) => ({ path, content })));
    await call("skill_run", { skill: "foreign", command: "sh say.sh" });
    await own.delete("foreign");
    const { stdout, warnings } = (await call("workspace_run", { command: SAY_FOREIGN }))
      .output as unknown as Answer;
    expect(stdout).toBe("trusted\n");
    expect(warnings?.join()).toContain('"foreign"');
    expect(asked).toEqual([]);
  });
});

describe("an input that is a file of an untrusted skill", () => {
  test.each(["copy", "link"])("is the approved file, where it is used as a %s", async (mode) => {
    const { skills, workspaces, change } = await setUp();
    const approval = async () => {
      await change("echo changed behind the yes\n");
      return { allowed: true };
    };
    const call = caller(skillTools({ skills, workspaces, approval }));
    const inputs = [{ from: "skill://foreign/say.sh", to: "work/say.sh", mode }];
    const result = await call(
      "workspace_run",
      { command: "sh work/say.sh > out/ran.txt", inputs },
      callContext(),
    );
    expect(result.output).toMatchObject({ error: { code: "DIGEST_MISMATCH", retry: true } });
    const { id } = await workspaces.forSession(session);
    expect(await workspaces.files(id, "out")).toEqual([]);
  });
});
