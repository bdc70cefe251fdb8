import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalRequest } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { type SkillManageOptions, skillProposals, skillTools } from "@skillwright/tools";
import { expect, onTestFinished, test } from "vitest";
import { caller, refusalOf, skillFile } from "./example-skills.js";
import { output } from "./managed-project.js";

async function setUp(manage: SkillManageOptions = { review: "none" }, options: object = {}) {
  const root = await mkdtemp(join(tmpdir(), "skillwright-rollback-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const project = fsRepository({ root });
  await project.upload([
    { path: "SKILL.md", content: skillFile("own", "", "First text.") },
    { path: "scripts/run.sh", content: "echo 1\n", executable: true },
  ]);
  const user = memoryRepository({ skills: { hers: { "SKILL.md": skillFile("hers") } } });
  const skills = skillBox({ project, user });
  const call = caller(skillTools({ skills, manage, ...options }));
  return { project, skills, act: (input: object) => call("skill_manage", input) };
}

test("EDIT-21: a model lists the versions of a skill and brings one back as the newest", async () => {
  const { act, skills } = await setUp();
  const { digest, manifest } = await skills.load("own");
  await act({ action: "update", name: "own", body: "Second text." });
  await act({ action: "remove_file", name: "own", path: "scripts/run.sh" });
  const { versions } = output(await act({ action: "versions", name: "own" }));
  expect(versions).toMatchObject([
    { version: "3", by: "skill_manage: update" },
    { version: "2", by: "skill_manage: update" },
    { version: "1", digest },
  ]);
  expect(output(await act({ action: "rollback", name: "own", version: "1" }))).toMatchObject({
    digest,
    changes: [
      { path: "SKILL.md", change: "changed" },
      { path: "scripts/run.sh", change: "added" },
    ],
  });
  const now = await skills.load("own");
  expect([now.body, now.manifest, now.version]).toEqual(["First text.", manifest, "4"]);
  expect(await skills.versions("project", "own")).toMatchObject([
    { by: "skill_manage: rollback" },
    {},
    {},
    {},
  ]);
});

test("EDIT-22: a rollback is reviewed as any other change, each time", async () => {
  const asked: ApprovalRequest[] = [];
  const approval = async (request: ApprovalRequest) => ({ allowed: asked.push(request) < 3 });
  const { act, project } = await setUp({}, { approval });
  const { digest } = await project.load("own");
  const second = [{ path: "SKILL.md", content: skillFile("own", "", "By a person.") }];
  for (let times = 0; times < 2; times++) {
    await project.upload(second);
    expect((await act({ action: "rollback", name: "own", version: digest })).isError).toBe(false);
  }
  await project.upload(second);
  const refusal = refusalOf(await act({ action: "rollback", name: "own", version: digest }));
  expect(refusal).toMatchObject({ code: "REFUSED" });
  expect(asked[0]).toMatchObject({ subject: "rollback project/own", digest, action: "write" });
  expect((await project.load("own")).body).toBe("By a person.");
});

test("a rollback waits for review as a proposal", async () => {
  const { skills } = await setUp();
  const proposals = skillProposals(skills);
  const call = caller(skillTools({ skills, manage: { proposals } }));
  const { digest } = await skills.load("own");
  await skills.upload("project", [{ path: "SKILL.md", content: skillFile("own", "", "Second.") }]);
  const input = { action: "rollback", name: "own", version: "1" };
  const waiting = output(await call("skill_manage", input));
  expect(waiting).toMatchObject({ waits: true, digest });
  const id = String(waiting["proposal"]);
  expect(Buffer.from(await proposals.content(id, "scripts/run.sh")).toString()).toBe("echo 1\n");
  expect((await proposals.apply(id, { digest }))?.digest).toBe(digest);
});

test("a version that is not there, a repository without versions and the current version are refused", async () => {
  const { act, skills } = await setUp();
  const before = await skills.versions("project", "own");
  for (const [input, message] of [
    [{ action: "rollback", name: "own", version: "7" }, 'no version "7"'],
    [{ action: "rollback", name: "own" }, "Missing: version"],
    [{ action: "rollback", name: "own", version: "1" }, "Nothing would change"],
    [{ action: "versions", scope: "user", name: "hers" }, "keeps no versions"],
    [{ action: "rollback", name: "hers", version: "1" }, 'is in "user", not in "project"'],
  ] as const)
    expect(refusalOf(await act(input)).message).toContain(message);
  expect(await skills.versions("project", "own")).toEqual(before);
});
