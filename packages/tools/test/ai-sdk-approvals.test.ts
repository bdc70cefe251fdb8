import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools, storedApprovals } from "@skillwright/tools";
import { aiSdkTools } from "@skillwright/tools/ai-sdk";
import { generateText, isStepCount, type ModelMessage, type ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { session, skillFile } from "./example-skills.js";
import { recordingWorkspaces } from "./recording-workspaces.js";
import { scriptedModel } from "./scripted-model.js";

const CALL = { tool: "skill_run", input: { skill: "foreign", command: "ls" } };

/** Loops of the AI SDK over an untrusted skill, each as in a process of its own. */
function setUp() {
  const repository = memoryRepository({ skills: { foreign: { "SKILL.md": skillFile("foreign") } } });
  const skills = skillBox({ project: { repository, trusted: false } });
  const records = memoryRecords();
  const { workspaces, runs } = recordingWorkspaces();
  const heard: boolean[] = [];
  const loop = async (messages: ModelMessage[], ...steps: Parameters<typeof scriptedModel>) => {
    const approvals = storedApprovals({ records });
    const tools: ToolSet = aiSdkTools(skillTools({ skills, workspaces, approvals }), {
      approvals,
      context: () => ({ session, state: {} }),
      onResult: (_, { isError }) => heard.push(isError),
    });
    const model = scriptedModel(...steps);
    const { content, text, responseMessages } = await generateText({
      model,
      tools,
      messages,
      stopWhen: isStepCount(5),
    });
    const asked = content.flatMap((part) => (part.type === "tool-approval-request" ? [part] : []));
    return { asked, text, messages: [...messages, ...responseMessages], prompts: model.doGenerateCalls };
  };
  const edit = () => repository.upload([{ path: "SKILL.md", content: skillFile("foreign", "", "Changed.") }]);
  return { loop, runs, heard, edit, approvals: storedApprovals({ records }) };
}

const go: ModelMessage[] = [{ role: "user", content: "Go" }];

function answered(messages: ModelMessage[], approvalId: string, approved: boolean): ModelMessage[] {
  return [...messages, { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] }];
}

describe("approvals with ai 7", () => {
  test("APPR-20: a call that waits for a person is an approval request, and runs once after the approval", async () => {
    const { loop, runs, heard, approvals } = setUp();
    const first = await loop(go, [CALL]);
    expect([first.asked.length, runs.length, heard.length]).toEqual([1, 0, 0]);
    expect(await approvals.list(session)).toMatchObject([
      { request: { skill: "foreign", digest: expect.any(String) } },
    ]);
    const next = await loop(answered(first.messages, first.asked[0]?.approvalId ?? "", true), "Done.");
    expect([next.text, runs.length, heard]).toEqual(["Done.", 1, [false]]);
    expect(await approvals.list(session)).toEqual([]);
  });

  test("APPR-21: content that changed after the question is not run by its approval", async () => {
    const { loop, runs, edit, approvals } = setUp();
    const first = await loop(go, [CALL]);
    await edit();
    const next = await loop(answered(first.messages, first.asked[0]?.approvalId ?? "", true), "Done.");
    expect(runs).toEqual([]);
    // The same messages come again, such as after an answer that was lost.
    await loop(answered(first.messages, first.asked[0]?.approvalId ?? "", true), "Done.");
    expect(runs).toEqual([]);
    expect(JSON.stringify(next.prompts.at(-1)?.prompt)).toContain(
      "Its content changed since it was first asked",
    );
    expect(await approvals.list(session)).toMatchObject([{ staleDigest: expect.any(String) }]);
  });

  test("a call that needs nobody runs once, and a refused one not at all", async () => {
    const { loop, runs, approvals } = setUp();
    const first = await loop(go, [CALL]);
    const refused = await loop(
      answered(first.messages, first.asked[0]?.approvalId ?? "", false),
      "As you wish.",
    );
    expect([refused.text, runs.length]).toEqual(["As you wish.", 0]);
    const [open] = await approvals.list(session);
    await approvals.decide(session, open?.id ?? "", {
      digest: open?.request.digest,
      answer: { allow: "digest" },
    });
    const free = await loop(go, [CALL], "Done.");
    expect([free.asked.length, free.text, runs.length]).toEqual([0, "Done.", 1]);
  });
});
