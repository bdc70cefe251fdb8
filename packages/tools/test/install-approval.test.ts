import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalRequest } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { environmentStore } from "@skillwright/workspace";
import { expect, test } from "vitest";
import { callContext, caller, refusalOf, session, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

const REQUIREMENTS = ["alpha==1.0.0", "beta==2.0.0"]
  .map((line) => `${line} --hash=sha256:${"0".repeat(64)}\n`)
  .join("");

test("packages of a trusted skill are installed only after a question that lists them", async () => {
  const files = { "SKILL.md": skillFile("own"), "requirements.txt": REQUIREMENTS };
  const skills = skillBox({ own: memoryRepository({ skills: { own: files } }) });
  const environments = environmentStore({ root: join(tmpdir(), `skillwright-never-made-${randomUUID()}`) });
  const workspaces = await realWorkspaces(skills, { environments });
  const asked: ApprovalRequest[] = [];
  const approval = async (request: ApprovalRequest) => {
    asked.push(request);
    return { allowed: false, reason: "Not today." };
  };
  const call = caller(skillTools({ skills, workspaces, approval }));
  const refusal = refusalOf(await call("skill_run", { skill: "own", command: "true" }, callContext()));
  expect(refusal).toMatchObject({ code: "REFUSED", message: expect.stringContaining("Not today.") });
  const { digest } = await skills.load("own");
  expect(asked).toEqual([
    {
      session,
      action: "install",
      skill: "own",
      digest,
      source: "own",
      subject: "requirements.txt: alpha 1.0.0, beta 2.0.0",
      reason: 'The skill "own" needs 2 packages not yet installed on this machine.',
    },
  ]);
});
