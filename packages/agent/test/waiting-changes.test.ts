import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { scriptedModel } from "./scripted-model.js";
import { testAgent } from "./test-agent.js";

const create = {
  action: "create",
  name: "demo-skill",
  description: "Use when summarizing.",
  body: "Step 1.",
};
const config = { skillTools: { manage: { scopes: { own: "test" }, review: "later" } } } as const;

test("EDIT-18: a change under the review `later` waits in the records, and a later agent's caller applies it", async () => {
  const parts = { records: memoryRecords(), repository: memoryRepository() };
  const calls = [{ tool: "skill_manage", input: create }];
  const { model } = scriptedModel([{ calls }, { text: "Proposed." }]);
  const session = { app: "crates", user: "ada", session: "one" };
  const first = await testAgent({ ...parts, model, config: { ...config, session } });
  await first.chat("Write a skill.");
  expect((await first.skills()).skills).toEqual([]);
  await first.close();
  const later = await testAgent({
    ...parts,
    model,
    config: { ...config, session: { ...session, session: "two" } },
  });
  const [waiting, ...more] = (await later.proposals?.list()) ?? [];
  expect([waiting?.name, more]).toEqual(["demo-skill", []]);
  await later.proposals?.apply(waiting?.id ?? "", { digest: waiting?.digest ?? "" });
  expect((await later.skills()).skills.map(({ name }) => name)).toEqual(["demo-skill"]);
  const sessions = await parts.records.list(["session", session.app, session.user]);
  expect(sessions.records.map(({ name }) => name)).toEqual(["one"]);
});

test("an agent whose changes are asked about, or that changes no skills, has no waiting changes", async () => {
  const { model } = scriptedModel([{ text: "x" }]);
  const asking = { skillTools: { manage: { scopes: { own: "test" } } } };
  for (const other of [asking, {}]) {
    const agent = await testAgent({ model, config: other });
    expect(agent).not.toHaveProperty("proposals");
  }
});
