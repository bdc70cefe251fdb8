import { recordSessions } from "@skillwright/records";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { type ApprovalAnswer, storedApprovals } from "@skillwright/tools";
import { expect, test } from "vitest";
import type { AgentEvent } from "../src/agent/agent-event.js";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "parked" };
const run = (command: string, tool = "skill_run") => ({ tool, input: { skill: "shout", command } });

/** An untrusted skill; `agent` makes one agent after another over the same stores. */
function setUp(steps: readonly ScriptedStep[]) {
  const records = memoryRecords();
  const sessions = recordSessions(records);
  const approvals = storedApprovals({ records });
  const repository = memoryRepository({ skills: { shout: SHOUT } });
  const { model, prompts } = scriptedModel(steps);
  const agent = () =>
    testAgent({ model, repository, trusted: false, records, approvals, config: { session } });
  const answer = async (given: ApprovalAnswer) => {
    for (const { id, request } of await approvals.list(session))
      await approvals.decide(session, id, { digest: request.digest, answer: given });
  };
  return { agent, answer, approvals, sessions, repository, prompts };
}

function responses(events: readonly AgentEvent[]) {
  return events.filter((event) => event.type === "tool.response");
}

const DONE = { text: "Done." };

test("APPR-09: a turn parks at its question, and another agent goes on with it where it was", async () => {
  const { agent, answer, approvals, prompts } = setUp([
    { text: "I run it.", calls: [{ tool: "skill_load", input: { skill: "shout" } }, run("echo went")] },
    DONE,
  ]);
  const first = await agent();
  const asked = await first.chat("Make it loud");
  expect(asked).toMatchObject({
    finish: "waiting",
    steps: 1,
    approvals: [{ request: { subject: "echo went" } }],
  });
  expect(asked.events.at(-1)).toMatchObject({ type: "approval.asked", tool: "skill_run" });
  expect(await first.resume()).toMatchObject({
    finish: "waiting",
    approvals: [{ id: asked.approvals?.[0]?.id }],
  });
  await first.close();
  await answer({ allow: "once" });
  const second = await agent();
  const went = await second.resume();
  expect(went).toMatchObject({ finish: "answered", steps: 2, text: "Done." });
  expect(responses(went?.events ?? [])).toMatchObject([{ tool: "skill_run", output: { stdout: "went\n" } }]);
  expect(prompts).toHaveLength(2);
  expect(prompts[1]?.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  expect(await second.resume()).toBeUndefined();
  const [question] = asked.approvals ?? [];
  expect(await approvals.get(session, question?.id ?? "")).toBeUndefined();
});

test("APPR-09: calls behind the one that waits run after it, and those before it are not repeated", async () => {
  const write = (path: string) => ({ tool: "workspace_write", input: { path, content: path } });
  const { agent, answer } = setUp([
    { calls: [write("work/a"), run("ls ../../work"), write("work/b")] },
    DONE,
  ]);
  const one = await agent();
  expect(responses((await one.chat("Go")).events)).toMatchObject([
    { tool: "workspace_write", isError: false },
  ]);
  await answer({ allow: "once" });
  const went = responses((await one.resume())?.events ?? []);
  expect(went.map(({ tool, isError }) => [tool, isError])).toEqual([
    ["skill_run", false],
    ["workspace_write", false],
  ]);
});

test("APPR-10: a refusal reaches the model with its reason when the turn goes on", async () => {
  const { agent, answer, prompts } = setUp([{ calls: [run("echo went")] }, DONE]);
  const one = await agent();
  await one.chat("Go");
  await answer({ refuse: "Use our own tool." });
  expect(await one.resume()).toMatchObject({ finish: "answered" });
  expect(JSON.stringify(prompts[1])).toContain("Use our own tool.");
});

test("APPR-10: content that changed after the answer is asked for again, with what changed", async () => {
  const { agent, answer, repository } = setUp([{ calls: [run("echo went")] }, DONE]);
  const one = await agent();
  const first = await one.chat("Go");
  await answer({ allow: "digest" });
  const changed = Object.entries({ ...SHOUT, "shout.sh": "echo no\n" });
  await repository.upload(changed.map(([path, content]) => ({ path, content })));
  const again = await one.resume();
  expect(again).toMatchObject({
    finish: "waiting",
    approvals: [
      {
        staleDigest: first.approvals?.[0]?.request.digest,
        request: { changes: [{ path: "shout.sh", change: "changed" }] },
      },
    ],
  });
  await answer({ allow: "once" });
  expect(await one.resume()).toMatchObject({ finish: "answered" });
});

test("APPR-11: a new message withdraws the questions of a parked turn, and the model hears it", async () => {
  const { agent, approvals, prompts } = setUp([{ calls: [run("echo went")] }, DONE]);
  const one = await agent();
  await one.chat("Go");
  await expect(one.compact()).rejects.toMatchObject({ code: "CONFLICT" });
  const next = await one.chat("Never mind");
  expect(next.finish).toBe("answered");
  expect(next.diagnostics).toContainEqual(expect.objectContaining({ code: "approval.withdrawn" }));
  expect(JSON.stringify(prompts[1])).toContain("was withdrawn before a person answered");
  expect(await approvals.list(session)).toEqual([]);
  expect(await one.resume()).toBeUndefined();
});

test("APPR-12: calls with which a process had begun when it ended are unknown, and not run again", async () => {
  const { agent, answer, sessions } = setUp([{ calls: [run("echo went")] }, DONE]);
  const one = await agent();
  await one.chat("Go");
  await answer({ allow: "once" });
  const record = await sessions.get(session);
  const begun = { ...(record?.state["agent:waiting"] as object), resumed: true };
  await sessions.update(session, { from: record?.revision ?? 0, stateDelta: { "agent:waiting": begun } });
  const went = await one.resume();
  expect(went?.diagnostics).toContainEqual(expect.objectContaining({ code: "approval.outcome-unknown" }));
  expect(responses(went?.events ?? [])).toEqual([]);
  expect(went?.finish).toBe("answered");
});
